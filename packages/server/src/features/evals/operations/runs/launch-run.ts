/**
 * Launches a run for a caller or a schedule. The context of the run is read and resolved first. The
 * rest is one transaction, and launches of one organization happen one after another: it looks up
 * the key, compares the environment with the resolved one, counts open runs, and writes the run
 * with its plan, its pending trials and their leased work. A key that launched a run before returns
 * that run and takes no slot.
 */

import type { OutputOf } from '@proofmark/contract';
import {
  type CaseToWarnOf,
  canonicalJson,
  inlineCasesAt,
  invalid,
  notFound,
  type PlannedRun,
  type SuiteDefinition,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { modelsOf } from '../../../models/index.ts';
import { insertCases, listAllCases } from '../../store/eval-cases.ts';
import { findSuiteToRun, insertSuite } from '../../store/eval-suites.ts';
import {
  countHeldSlots,
  findRunByKey,
  type KeyedRun,
  lockLaunches,
} from '../../store/launched-runs.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { refuseAssertions } from '../suites/refuse-assertions.ts';
import { refuseRows } from '../suites/refuse-rows.ts';
import { refuseUnknownServers } from '../suites/refuse-unknown-servers.ts';
import { refuseUnreadable } from '../suites/refuse-unreadable.ts';
import { listedServers } from '../suites/warn-of-suite.ts';
import { contextOfReplayed } from './context-of-replayed.ts';
import { contextOf } from './launch-context.ts';
import { launches } from './launches.ts';
import { overlayOfLaunch } from './overlay-of-launch.ts';
import {
  checkLaunchedModels,
  chooseCases,
  type LaunchRequest,
  type LaunchWish,
  planLaunch,
  type SuiteOfLaunch,
  settleLaunch,
} from './plan-launch.ts';
import type { LaunchDependencies, PreparedLaunch } from './prepared-launch.ts';
import { refuseScorersWithoutSecret } from './refuse-scorers-without-secret.ts';
import { resolveReplay } from './resolve-replay.ts';
import { resolveRerun } from './resolve-rerun.ts';
import { refuseTooManyRuns, writeLaunch } from './write-launch.ts';

export type Launched = OutputOf<'createEvalRun'>;

export function launchRun(
  dependencies: LaunchDependencies,
  request: LaunchRequest,
): Promise<Launched> {
  const { organizationId, signal } = dependencies;
  return launches.run(
    organizationId,
    () => launch(dependencies, request),
    signal === undefined ? {} : { signal },
  );
}

async function launch(dependencies: LaunchDependencies, request: LaunchRequest): Promise<Launched> {
  const { idempotencyKey, suiteId, rerunOf } = request;
  const requestHash = idempotencyKey === undefined ? null : hashOf(dependencies.projectId, request);
  const tenant = <Result>(work: (sql: Sql) => Promise<Result>) =>
    dependencies.database.tenant([dependencies.organizationId], work);
  const read = await tenant(async (sql) => {
    const earlier = await replay(sql, dependencies, request, requestHash);
    if (earlier !== undefined || (suiteId ?? rerunOf) === undefined) return { earlier };
    const wish = await wishOf(sql, dependencies, request);
    const prepared = await prepareSaved(sql, dependencies, wish, wish.suiteId ?? '');
    const { organizationId, limits, group } = dependencies;
    const openRuns = await countHeldSlots(sql, organizationId, group?.id);
    if (openRuns < limits.concurrentRuns) return { prepared };
    // Looked up after the count, so that a run of this key that was just counted is found.
    const meanwhile = await replay(sql, dependencies, request, requestHash);
    return { earlier: meanwhile ?? refuseTooManyRuns(limits, openRuns) };
  });
  if (read.earlier !== undefined) return read.earlier;
  const stated = read.prepared === undefined ? await stateNew(request) : [];
  return tenant(async (sql) => {
    await lockLaunches(sql, dependencies.organizationId);
    dependencies.signal?.throwIfAborted();
    const earlier = await replay(sql, dependencies, request, requestHash);
    if (earlier !== undefined) return earlier;
    const ready = read.prepared ?? (await prepareNew(sql, dependencies, request, stated));
    const runId = await writeLaunch(sql, dependencies, ready, {
      notes: request.notes ?? null,
      runGroupId: request.runGroupId ?? null,
      idempotencyKey: idempotencyKey ?? null,
      requestHash,
    });
    return {
      runId,
      suiteId: ready.suiteId,
      status: 'pending' as const,
      ...(request.runGroupId === undefined ? {} : { runGroupId: request.runGroupId }),
      servers: [...ready.context.servers],
      environment: ready.context.environment,
      caseUpsert: {
        committed: read.prepared === undefined ? namedCases(ready.plan) : [],
        failed: [],
      },
      warnings: [...(ready.plan.warnings ?? [])],
    };
  });
}

async function replay(
  sql: Sql,
  dependencies: LaunchDependencies,
  { idempotencyKey, suiteId, rerunOf }: LaunchRequest,
  requestHash: string | null,
): Promise<Launched | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const run = await findRunByKey(sql, dependencies.organizationId, idempotencyKey);
  if (run === undefined) return undefined;
  if (run.requestHash !== requestHash) {
    const message =
      'This idempotency key was already used for a different run request; send the same request again, or use a new key.';
    return refuse({ code: 'CONFLICT', message, details: { reason: 'IDEMPOTENCY_KEY_REUSED' } });
  }
  const plan = await findRunPlan(sql, run.id);
  return {
    runId: run.id,
    suiteId: run.suiteId,
    status: run.status,
    deduped: true,
    ...(run.runGroupId === null ? {} : { runGroupId: run.runGroupId }),
    servers: serversOf(run),
    environment: run.snapshot.environment,
    caseUpsert: {
      committed: plan === undefined || (suiteId ?? rerunOf) !== undefined ? [] : namedCases(plan),
      failed: [],
    },
    warnings: [...(plan?.warnings ?? [])],
  };
}

async function wishOf(
  sql: Sql,
  dependencies: LaunchDependencies,
  { rerunOf, ...request }: LaunchRequest,
): Promise<LaunchWish> {
  if (rerunOf === undefined) {
    return { ...request, ...(await contextOfReplayed(sql, dependencies.projectId, request)) };
  }
  return { ...request, ...(await resolveRerun(sql, dependencies, rerunOf)), rerunOf };
}

/** Prepares the launch of a saved suite, with the same refusals as the launch itself. */
export async function prepareSaved(
  sql: Sql,
  dependencies: LaunchDependencies,
  request: LaunchWish,
  suiteId: string,
  /** Overrides the models that the cases name. */
  model?: string,
): Promise<PreparedLaunch> {
  const suite = (await findSuiteToRun(sql, dependencies.projectId, suiteId)) ?? refuse(notFound);
  refuseUnreadable(suite, suite.cases);
  if (model === undefined) return prepare(sql, dependencies, request, suite);
  const cases = suite.cases.map((one) => ({
    ...one,
    definition: { ...one.definition, models: [{ model }] },
  }));
  return prepare(sql, dependencies, request, { ...suite, cases });
}

/**
 * Reads the cases of the request. This happens before any lock, because filling in their rows takes
 * long.
 */
async function stateNew({ tests = [] }: LaunchRequest): Promise<readonly CaseToWarnOf[]> {
  const withoutModel = tests.findIndex(
    ({ model, provider, models }) => model == null && provider != null && !models?.length,
  );
  if (withoutModel >= 0) {
    const message = 'This test names a provider but no model; name both.';
    return refuse(invalid(`body.tests[${withoutModel}].model`, message));
  }
  const stated = inlineCasesAt('body.tests', tests, { model: '' });
  refuseAssertions(stated);
  await refuseRows(stated, 'body.tests');
  return stated;
}

/**
 * The suite and its cases are written in the transaction of the run, so that either all exist or
 * none.
 */
async function prepareNew(
  sql: Sql,
  dependencies: LaunchDependencies,
  request: LaunchRequest,
  stated: readonly CaseToWarnOf[],
): Promise<PreparedLaunch> {
  const { organizationId, projectId, accountId } = dependencies;
  const { suiteName = '', suiteDescription, serverIds = [] } = request;
  if (accountId === null) throw new Error('Only a person or an API key can create a suite.');
  await refuseUnknownServers(sql, projectId, stated);
  const definition: SuiteDefinition = { settings: {} };
  const suite = { id: dependencies.newId('evalSuite'), name: suiteName, definition, serverIds };
  await insertSuite(sql, {
    ...suite,
    organizationId,
    projectId,
    description: suiteDescription ?? null,
    createdBy: accountId,
  });
  const cases = stated.map((one) => ({
    id: dependencies.newId('evalCase'),
    definition: one.definition,
  }));
  await insertCases(sql, { organizationId, suiteId: suite.id }, cases);
  const authored = { ...suite, environmentIds: [], hosts: [], stated };
  return prepare(sql, dependencies, request, {
    ...authored,
    cases: await listAllCases(sql, suite.id),
  });
}

async function prepare(
  sql: Sql,
  dependencies: LaunchDependencies,
  request: LaunchWish,
  suite: SuiteOfLaunch,
): Promise<PreparedLaunch> {
  const { projectId, organizationId, limits } = dependencies;
  const context = await contextOf(sql, projectId, request, suite);
  const chosen = chooseCases(suite, request, context);
  const replay = request.replay && (await resolveReplay(sql, projectId, suite.id, request.replay));
  const planned = planLaunch(chosen, replay, limits);
  const overlaid = await overlayOfLaunch(sql, projectId, context.servers, request.overlay);
  if (planned.isAsked) await refuseScorersWithoutSecret(sql, projectId, planned.plan);
  const offered = await modelsOf(sql, dependencies, organizationId);
  const checked = checkLaunchedModels(planned, offered.models);
  const servers = await listedServers(sql, projectId, context.servers);
  return settleLaunch(checked, { ...offered, ...overlaid, servers, noWidgets: limits.noWidgets });
}

/**
 * Of the model keys, only the provider names are hashed, so that a request with a renewed key stays
 * the same request.
 */
function hashOf(projectId: string, request: LaunchRequest): string {
  const { idempotencyKey: _key, modelApiKeys = {}, ...body } = request;
  const said = { projectId, body, providers: Object.keys(modelApiKeys).sort() };
  return sha256Hex(canonicalJson(said));
}

function namedCases(plan: PlannedRun['plan']): Launched['caseUpsert']['committed'] {
  return plan.cases.map(({ caseId, title }) => ({ id: caseId, name: title }));
}

function serversOf({ snapshot }: KeyedRun): Launched['servers'] {
  return snapshot.servers.map(({ id = '', name = '' }) => ({ id, name }));
}

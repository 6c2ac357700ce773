/**
 * Prepares a launch without writing the run: resolves the request, reads or creates the suite,
 * plans the trials and prices them.
 */

import {
  type CaseToWarnOf,
  inlineCasesAt,
  invalid,
  notFound,
  type SuiteDefinition,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { modelsOf } from '../../../models/index.ts';
import { insertCases, listAllCases } from '../../store/eval-cases.ts';
import { findSuiteToRun, insertSuite } from '../../store/eval-suites.ts';
import { refuseAssertions } from '../suites/refuse-assertions.ts';
import { refuseRows } from '../suites/refuse-rows.ts';
import { refuseUnknownServers } from '../suites/refuse-unknown-servers.ts';
import { refuseUnreadable } from '../suites/refuse-unreadable.ts';
import { listedServers } from '../suites/warn-of-suite.ts';
import { contextOfReplayed } from './context-of-replayed.ts';
import { contextOf } from './launch-context.ts';
import { overlayOfLaunch } from './overlay-of-launch.ts';
import {
  checkLaunchedModels,
  chooseCases,
  type LaunchRequest,
  planLaunch,
  priceLaunch,
  type ResolvedRequest,
  type SuiteOfLaunch,
} from './plan-launch.ts';
import type { LaunchDependencies, PreparedLaunch } from './prepared-launch.ts';
import { refuseScorersWithoutSecret } from './refuse-scorers-without-secret.ts';
import { resolveReplay } from './resolve-replay.ts';
import { resolveRerun } from './resolve-rerun.ts';

export async function resolveRequest(
  sql: Sql,
  dependencies: LaunchDependencies,
  { rerunOf, ...request }: LaunchRequest,
): Promise<ResolvedRequest> {
  if (rerunOf === undefined) {
    return { ...request, ...(await contextOfReplayed(sql, dependencies.projectId, request)) };
  }
  return { ...request, ...(await resolveRerun(sql, dependencies, rerunOf)), rerunOf };
}

/**
 * Also called for a cost estimate, so that an estimate is refused exactly when a launch would be.
 */
export async function prepareSaved(
  sql: Sql,
  dependencies: LaunchDependencies,
  request: ResolvedRequest,
  suiteId: string,
  /** If set, replaces the models of the cases. */
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

/** Called before any lock is taken, because filling many data rows into their cases takes long. */
export async function readNewCases({
  tests = [],
}: LaunchRequest): Promise<readonly CaseToWarnOf[]> {
  const withoutModel = tests.findIndex(
    ({ model, provider, models }) => model == null && provider != null && !models?.length,
  );
  if (withoutModel >= 0) {
    const message =
      'This test names a provider but no model; add the model, or remove the provider.';
    return refuse(invalid(`body.tests[${withoutModel}].model`, message));
  }
  const stated = inlineCasesAt('body.tests', tests, { model: '' });
  refuseAssertions(stated);
  await refuseRows(stated, 'body.tests');
  return stated;
}

/**
 * Creates the suite and its cases in the transaction that writes the run, so that either all of
 * them exist or none.
 */
export async function prepareNew(
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
  request: ResolvedRequest,
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
  return priceLaunch(checked, { ...offered, ...overlaid, servers, noWidgets: limits.noWidgets });
}

/**
 * Resolves a rerun: the suite, the servers or environment, and the launch options of the original
 * run, with the requested cases. If a part no longer exists, the rerun is rejected, because a
 * replacement would make it a different run. A run-only API key can rerun only saved resources.
 */
import {
  chooseVariants,
  notFound,
  type PinnedOverrides,
  type Refusal,
  type RerunOf,
  type RowSample,
  type RunPlan,
  type SurfaceOverlay,
  samplesRunAgain,
  type VariantToRun,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { readClient } from '../../../clients/index.ts';
import { listNamedServers } from '../../../servers/index.ts';
import { readRun, type StoredRun } from '../../store/eval-runs.ts';
import { type AuthoredSuite, readSuite } from '../../store/eval-suites.ts';
import { countLaunchedTrials } from '../../store/record-trials.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import type { LaunchDependencies } from './prepared-launch.ts';
import { hasEnded } from './present-run.ts';

export interface ResolvedRerun extends PinnedOverrides {
  readonly suiteId: string;
  readonly environmentId?: string;
  readonly serverIds?: string[];
  readonly namedHostId?: string;
  readonly maxCredits?: number;
  readonly overlay?: SurfaceOverlay;
  readonly variants: readonly VariantToRun[];
  readonly samples: readonly RowSample[];
  readonly titles: ReadonlyMap<string, string>;
}

export async function resolveRerun(
  sql: Sql,
  { projectId, savedOnly }: LaunchDependencies,
  { runId, scope }: RerunOf,
): Promise<ResolvedRerun> {
  const run = (await readRun(sql, projectId, runId)) ?? refuse(notFound);
  if (run.source === 'sdk') refuse(reported);
  if (run.snapshot.conformance !== undefined) refuse(ofConformance);
  if (!hasEnded(run)) refuse({ ...notEnded, details: { ...notEnded.details, status: run.status } });
  const [plan, suite, trials] = await Promise.all([
    findRunPlan(sql, runId),
    readSuite(sql, projectId, run.suiteId),
    countLaunchedTrials(sql, runId),
  ]);
  if (plan === undefined || suite === undefined) return refuse(unreadable);
  const variants = chooseVariants(trials, scope);
  if (variants.length === 0) refuse(nothingOf[scope]);
  const selection = await selectionOf(sql, run, plan, suite, savedOnly === true);
  if (plan.overrides?.passCriteria?.minimumPassRate !== undefined) {
    if (suite.definition.settings.verdictPolicyDefaults !== undefined) refuse(otherPolicy);
  }
  const titles = new Map(plan.cases.map(({ caseId, title }) => [caseId, title]));
  return {
    ...plan.overrides,
    ...(plan.maxCredits !== undefined && { maxCredits: plan.maxCredits }),
    ...(plan.overlay && { overlay: plan.overlay }),
    suiteId: suite.id,
    ...selection,
    variants: inOrderOf(plan, variants),
    samples: samplesRunAgain(run.snapshot.samples ?? [], variants, (id) => titles.get(id)),
    titles,
  };
}

async function selectionOf(
  sql: Sql,
  run: StoredRun,
  plan: RunPlan,
  suite: AuthoredSuite,
  savedOnly: boolean,
): Promise<Pick<ResolvedRerun, 'environmentId' | 'serverIds' | 'namedHostId'>> {
  const { environment } = run.snapshot;
  if (environment !== null) {
    if (!suite.environmentIds.includes(environment.id)) refuse(environmentDetached);
    return { environmentId: environment.id };
  }
  if (suite.environmentIds.length > 0) refuse(suiteHasEnvironments);
  const serverIds = plan.servers.map(({ id }) => id);
  const { id: namedHostId } = plan.client;
  const isSaved = namedHostId === undefined && isSameSet(serverIds, suite.serverIds);
  if (savedOnly && !isSaved) refuse(notAsSaved);
  const found = await listNamedServers(sql, run.projectId, serverIds);
  const missingId = serverIds.find((id) => !found.some((server) => server.id === id));
  if (missingId !== undefined) {
    refuse({ ...serverGone, details: { ...serverGone.details, missingId } });
  }
  if (namedHostId === undefined) return { serverIds };
  if ((await readClient(sql, run.projectId, namedHostId)) === undefined) {
    refuse({ ...clientGone, details: { ...clientGone.details, missingId: namedHostId } });
  }
  return { serverIds, namedHostId };
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const all = new Set([...some, ...others]);
  return all.size === new Set(some).size && all.size === new Set(others).size;
}

/** Sorts the variants into the order of the run, because the counted trials have no fixed order. */
function inOrderOf({ cases }: RunPlan, variants: readonly VariantToRun[]): VariantToRun[] {
  const places = new Map(cases.map(({ caseId }, index) => [caseId, index]));
  const placeOf = ({ caseId }: VariantToRun) => places.get(caseId) ?? places.size;
  return variants.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function conflict(reason: string, message: string): Refusal {
  return { code: 'CONFLICT', message, details: { reason } };
}

const reported = conflict(
  'RUN_REPORTED',
  'This run was reported from outside; only a run that was launched here can be run again.',
);
const ofConformance = conflict(
  'CONFORMANCE_RUN',
  'The conformance suite played this run; start it again on the page of the server, or with `proofmark conformance`.',
);
const notEnded = conflict(
  'RUN_NOT_ENDED',
  'This run has not ended yet; run it again after it has ended.',
);
const unreadable = conflict(
  'RUN_UNREADABLE',
  'The settings with which this run was launched can no longer be read; launch its suite instead.',
);
const nothingOf = {
  failed: conflict(
    'NOTHING_TO_RERUN',
    'No trial of this run failed, so there is nothing to run again.',
  ),
  notGraded: conflict(
    'NOTHING_TO_RERUN',
    'Every trial of this run was graded, so there is nothing to run again.',
  ),
  all: conflict(
    'NOTHING_TO_RERUN',
    'The trials of this run no longer exist; launch its suite instead.',
  ),
};
const environmentDetached = conflict(
  'ENVIRONMENT_NOT_ATTACHED',
  'The suite no longer has the environment of this run; attach it again, or launch the suite.',
);
const suiteHasEnvironments = conflict(
  'ENVIRONMENT_SERVERS_NOT_OVERRIDABLE',
  'The suite now runs in environments, but this run was launched with its own servers; launch the suite instead.',
);
const serverGone = conflict(
  'SERVER_NOT_FOUND',
  'A server of this run no longer exists; launch the suite with other servers.',
);
const clientGone = conflict(
  'CLIENT_NOT_FOUND',
  'The client of this run no longer exists; launch the suite with another client or without a client.',
);
const otherPolicy = conflict(
  'PASS_CRITERIA_NOT_APPLICABLE',
  'This run was launched with its own pass criteria, but the suite now decides by its verdict policy; launch the suite instead.',
);
const notAsSaved: Refusal = {
  code: 'FORBIDDEN',
  message:
    'This API key can launch suites only as they are saved, but this run had other servers or its own client; use a key with full scope.',
  details: { reason: 'KEY_SCOPE' },
};

/**
 * Writes a prepared run. The caller must hold the organization's launch lock, so that the counts
 * are exact.
 */
import {
  cheapestCallOf,
  notFound,
  type Refusal,
  slicesOfRun,
  summarizeReplay,
  verdictPolicyVersion,
} from '@proofmark/domain';
import { insertAuditLine } from '../../../../platform/accounts/store/audit-log.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { enterQuota } from '../../../../platform/spending/enter-quota.ts';
import {
  refuseUnpriced,
  refuseWithoutCredits,
} from '../../../../platform/spending/refuse-without-credits.ts';
import type { RunLimits } from '../../../../platform/spending/run-limits.ts';
import { limitRunCredits } from '../../../../platform/spending/store/run-credits.ts';
import { readEnvironment } from '../../../environments/index.ts';
import { pinServers } from '../../../servers/index.ts';
import {
  countHeldSlots,
  insertLaunchedRun,
  insertPendingTrials,
  type LaunchedRun,
} from '../../store/launched-runs.ts';
import { holdGroupSlot } from '../../store/run-groups.ts';
import { insertRunPlan } from '../../store/run-plans.ts';
import { addSlices } from '../../store/run-work.ts';
import type { LaunchDependencies, PreparedLaunch } from './prepared-launch.ts';
import { casesOfLaunch, snapshotOfLaunch, trialsOfLaunch } from './rows-of-launch.ts';

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the steps of one transaction, in the order in which they refuse, lock and write.
export async function writeLaunch(
  sql: Sql,
  dependencies: LaunchDependencies,
  launch: PreparedLaunch,
  stated: Pick<LaunchedRun, 'notes' | 'runGroupId' | 'idempotencyKey' | 'requestHash'>,
): Promise<string> {
  await refuseChangedEnvironment(sql, dependencies, launch);
  const { organizationId, projectId, limits } = dependencies;
  const { group } = dependencies;
  const openRuns = await countHeldSlots(sql, organizationId, group?.id);
  if (openRuns >= limits.concurrentRuns) refuseTooManyRuns(limits, openRuns);
  // A schedule does not know whether the organization has quotas, so quotas are always checked
  // here.
  const holder = { organizationId, hasQuotas: true };
  const quota = await enterQuota(sql, holder, limits.quotas, 'trialsPerDay', launch.trialCount);
  const { plan, terms } = launch;
  const { creditsPerDay } = limits;
  const cheapest = cheapestCallOf(plan);
  await refuseWithoutCredits(sql, organizationId, creditsPerDay, launch.unpriced, cheapest);
  refuseUnpriced(plan.maxCredits, launch.unpriced);
  const slices = slicesOfRun(plan, limits.trialsAtOncePerRun);
  const trials = trialsOfLaunch(launch, dependencies.newId);
  const run: LaunchedRun = {
    ...stated,
    id: dependencies.newId('evalRun'),
    organizationId,
    projectId,
    suiteId: launch.suiteId,
    source: dependencies.source ?? 'api',
    isSample: dependencies.isSample === true,
    verdictPolicyVersion: 'policy' in terms ? verdictPolicyVersion : null,
    snapshot: snapshotOfLaunch(launch),
    trialCount: trials.length,
    slotGroupId: group?.id ?? null,
    timeoutMs: limits.runTimeoutMs,
    createdBy: dependencies.accountId,
    assertsNothing: launch.assertsNothing,
    replay: plan.replay === undefined ? null : summarizeReplay(plan.replay, []),
  };
  if (!(await insertLaunchedRun(sql, run))) return refuse(notFound);
  if (plan.maxCredits !== undefined) await limitRunCredits(sql, run, plan.maxCredits);
  const { vault } = dependencies.database;
  const servers = await pinServers(
    sql,
    vault,
    projectId,
    plan.servers.map(({ id }) => id),
    (serverId) => dependencies.stdioAddressOf?.(serverId),
  );
  if (servers === undefined) return refuse(serverDeleted);
  const pinned = { servers, providers: launch.providers };
  // All statements are sent without waiting in between. If one fails, the transaction undoes all.
  await Promise.all([
    insertRunPlan(sql, vault, run, plan, launch.keys, pinned),
    insertPendingTrials(sql, run, casesOfLaunch(launch), trials),
    addSlices(sql, { ...run, runId: run.id }, slices, limits.trialsAtOncePerRun),
    ...(group === undefined ? [] : [holdGroupSlot(sql, group.id)]),
    insertAuditLine(sql, {
      ...dependencies.actor,
      organizationId,
      projectId,
      subjectId: run.id,
      action: 'evalRun.launched',
      details: {
        suiteId: launch.suiteId,
        ...(launch.rerunOf && { rerunOf: launch.rerunOf.runId, scope: launch.rerunOf.scope }),
      },
    }),
  ]);
  await quota.count();
  return run.id;
}

const serverDeleted: Refusal = {
  code: 'CONFLICT',
  message: 'A server was deleted while the run was launched; launch it again.',
  details: { reason: 'SERVER_NOT_FOUND' },
};

/**
 * Rejects the launch if the environment was edited after it was resolved. Otherwise the run would
 * use an outdated state.
 */
async function refuseChangedEnvironment(
  sql: Sql,
  { projectId }: LaunchDependencies,
  { context: { environment } }: PreparedLaunch,
): Promise<void> {
  if (environment === null) return;
  const now = await readEnvironment(sql, projectId, environment.id, 'forShare');
  if (now?.revision === environment.revision) return;
  refuse({
    code: 'CONFLICT',
    message: 'The environment was changed while the run was launched; launch it again.',
    details: {
      reason: 'ENVIRONMENT_CHANGED',
      ...(now === undefined ? {} : { currentRevision: now.revision }),
    },
  });
}

export function refuseTooManyRuns({ concurrentRuns: limit }: RunLimits, openRuns: number): never {
  refuse({
    code: 'RATE_LIMITED',
    message:
      'The organization has reached its limit of open runs; wait until one has ended, or cancel one.',
    details: { reason: 'CONCURRENT_RUN_LIMIT', limit, openRuns },
  });
}

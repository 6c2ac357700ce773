/**
 * A lane takes one slice of a run after the other and runs its trials in order. Each slice is a job of its own, so
 * that runs take turns. What it cannot finish, because the process stops or we ourselves fail, it gives back.
 */
import { type PlannedTrial, planTrials } from '@proofmark/domain';
import { endRun } from '../actions/eval-runs/end-run.ts';
import { runTrial } from '../engine/run-trial.ts';
import type { TrialRecord } from '../engine/trial-record.ts';
import type { Sql } from '../storage/database/database.ts';
import { readRun } from '../storage/eval-runs/eval-runs.ts';
import {
  type ClaimedSlice,
  claimSlice,
  completeSlice,
  hasOpenSlice,
  leaseSeconds,
  releaseSlice,
} from '../storage/eval-runs/eval-slices.ts';
import { addLane, type LaneJob } from '../storage/eval-runs/jobs.ts';
import {
  listOpenTrials,
  type TrialToWrite,
  takeBackAttempt,
} from '../storage/eval-runs/record-trials.ts';
import { brokenTrial } from './broken-trial.ts';
import { type Lease, type LeaseKeeper, LeaseLost } from './lease-keeper.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { pause } from './pause.ts';
import { isPassing, retryWhileDatabaseIsAway } from './retry-while-database-is-away.ts';
import type { WorkerDependencies } from './worker-dependencies.ts';

/** After so many attempts at a trial that count, the fault is taken to be ours; takeBackAttempt says which do not. */
const mostAttempts = 4;

export interface LaneSignals {
  /** Take nothing new. */
  readonly stopping: AbortSignal;
  /** Leave at once. */
  readonly leaving: AbortSignal;
}

/** The trial whose attempt is counted and not yet settled, as long as there is one. */
interface Begun {
  ordinal?: number | undefined;
}

export async function runLane(
  dependencies: WorkerDependencies,
  parts: { readonly runs: OpenRuns; readonly leases: LeaseKeeper },
  job: LaneJob,
  signals: LaneSignals,
): Promise<void> {
  const { organizationId, runId } = job;
  const tenant = [organizationId];
  const claimed = await retryWhileDatabaseIsAway(
    () => dependencies.database.tenant(tenant, (sql) => claimSlice(sql, organizationId, runId)),
    signals.leaving,
  );
  if (claimed === undefined) return;
  const lease = parts.leases.hold(claimed);
  const begun: Begun = {};
  try {
    const isDone = await parts.runs.use(job, (run) =>
      runSlice(dependencies, run, claimed, lease, begun, signals),
    );
    if (isDone) {
      const signal = AbortSignal.any([lease.signal, signals.leaving]);
      const hasEnded = await retryWhileDatabaseIsAway(
        () => finishSlice(dependencies, job, claimed),
        signal,
      );
      if (hasEnded) parts.runs.forget(runId);
    } else await giveBack(dependencies, job, claimed, begun);
  } catch (error) {
    // Whoever has the slice now goes on with it, or the run has ended.
    if (lease.signal.aborted || error instanceof LeaseLost) {
      const { reason } = lease.signal;
      if (!(reason instanceof LeaseLost && reason.wasAway)) return;
      const settle = () =>
        dependencies.database.tenant(tenant, (sql) => settleBegun(sql, runId, begun));
      return await retryWhileDatabaseIsAway(settle, signals.leaving);
    }
    if (signals.leaving.aborted || isPassing(error)) {
      return await giveBack(dependencies, job, claimed, begun);
    }
    // The queue tries the job again after a while; a new one would fail at once again. The attempt counts: what we
    // fail at may be what the trial brought.
    await dependencies.database.tenant(tenant, (sql) => releaseSlice(sql, claimed));
    throw error;
  } finally {
    lease.drop();
  }
}

/** Whether all of it was run. */
async function runSlice(
  dependencies: WorkerDependencies,
  run: OpenRun,
  claimed: ClaimedSlice,
  lease: Lease,
  begun: Begun,
  { stopping, leaving }: LaneSignals,
): Promise<boolean> {
  const signal = AbortSignal.any([lease.signal, leaving]);
  const open = await dependencies.database.tenant([claimed.organizationId], (sql) =>
    listOpenTrials(sql, claimed),
  );
  const trials = planTrials(run.plan);
  let ended: TrialToWrite | undefined;
  for (const { ordinal, attempts } of open) {
    if (stopping.aborted) break;
    const trial = trials[ordinal - 1];
    if (trial === undefined) throw new Error('A trial is not part of its plan.');
    await run.writer.tell({ held: lease.held, ...(ended && { ended }), begins: ordinal }, signal);
    begun.ordinal = ordinal;
    ended = await runUntilEnded(dependencies, run, trial, attempts + 1, signal);
  }
  if (ended !== undefined) await run.writer.tell({ held: lease.held, ended }, signal);
  begun.ordinal = undefined;
  return !stopping.aborted;
}

/** What is thrown here is our own failure: it is tried again, and at last told as what it is. */
async function runUntilEnded(
  dependencies: WorkerDependencies,
  run: OpenRun,
  trial: PlannedTrial,
  attempts: number,
  signal: AbortSignal,
): Promise<TrialToWrite> {
  const planned = run.plan.cases[trial.caseIndex];
  if (planned === undefined) throw new Error('A trial belongs to no case of its plan.');
  for (let attempt = attempts; attempt <= mostAttempts; attempt += 1) {
    try {
      return toWrite(trial.ordinal, await runTrial(run.dependencies, run.plan, trial, signal));
    } catch (error) {
      signal.throwIfAborted();
      const { ordinal } = trial;
      dependencies.log.error({ err: error, ordinal, attempt }, 'a trial could not be run by us');
      if (attempt < mostAttempts) await pause(200 * 2 ** attempt, signal);
    }
  }
  return brokenTrial(trial.ordinal, planned, mostAttempts);
}

function toWrite(ordinal: number, record: TrialRecord): TrialToWrite {
  return {
    ordinal,
    status: record.status,
    result: record.result,
    evaluatorError: record.evaluatorError,
    startedAtMs: record.startedAtMs,
    durationMs: record.durationMs,
    tokensUsed: record.tokensUsed,
    usage: record.usage,
    actualToolCalls: record.actualToolCalls,
    error: record.error,
    scores: record.scores,
    chain: record.chain,
    toolSurface: record.toolSurface,
    trace: record.trace,
    details: { evidence: record.evidence },
  };
}

/** The last slice ends the run, in the same transaction. Tells whether it did. */
async function finishSlice(
  dependencies: WorkerDependencies,
  job: LaneJob,
  claimed: ClaimedSlice,
): Promise<boolean> {
  return dependencies.database.tenant([job.organizationId], async (sql) => {
    const run = await readRun(sql, job.projectId, job.runId, 'forUpdate');
    const left = run === undefined ? undefined : await completeSlice(sql, claimed);
    if (run === undefined || left === undefined) return false;
    if (left === 0) await endRun(sql, run, 'completed');
    else if (await hasOpenSlice(sql, job.runId)) await addLane(sql, job);
    return left === 0;
  });
}

/** Tried for as long as the lease may stand; afterwards the watchdog opens the slice again. */
async function giveBack(
  dependencies: WorkerDependencies,
  job: LaneJob,
  claimed: ClaimedSlice,
  begun: Begun,
): Promise<void> {
  const release = () =>
    dependencies.database.tenant([job.organizationId], async (sql) => {
      await releaseSlice(sql, claimed);
      await settleBegun(sql, job.runId, begun);
      await addLane(sql, job);
    });
  await retryWhileDatabaseIsAway(release, AbortSignal.timeout(leaseSeconds * 1000));
}

async function settleBegun(sql: Sql, runId: string, { ordinal }: Begun): Promise<void> {
  if (ordinal !== undefined) await takeBackAttempt(sql, runId, ordinal);
}

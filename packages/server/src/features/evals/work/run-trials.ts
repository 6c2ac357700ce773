/**
 * Runs the trials of one slice (some trials of a run), in order. The worker of the last slice ends
 * the run in the transaction that completes the slice. A trial whose attempts are used up is stored
 * as a failure of Proofmark.
 */

import { type PlannedTrial, planTrials, type RunPlan } from '@proofmark/domain';
import type { AfterOfTrial } from '../../../conversation/trial-dependencies.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { CreditsUsedUp, type StopReason } from '../../../platform/spending/metered-models.ts';
import { readSpentToday } from '../../../platform/spending/store/daily-counters.ts';
import { settleOfEarlierHolders } from '../../../platform/spending/store/reservations.ts';
import { readRunCredits } from '../../../platform/spending/store/run-credits.ts';
import { attemptsInWords, isSpent } from '../../../platform/work/attempt-limit.ts';
import { LeaseLost } from '../../../platform/work/lease-keeper.ts';
import {
  isPassing,
  retryWhileDatabaseIsAway,
} from '../../../platform/work/retry-while-database-is-away.ts';
import { type ClaimedWork, completeWork } from '../../../platform/work/store/leased-work.ts';
import type { WorkAttempt, WorkKind } from '../../../platform/work/work-kind.ts';
import { endRun } from '../operations/runs/end-run.ts';
import { isStopping, markStopping, readRun } from '../store/eval-runs.ts';
import { beginSlice, type TrialToWrite, type TrialUpdate } from '../store/record-trials.ts';
import type { RunLocation } from '../store/run-location.ts';
import { beginNextLook } from './begin-next-look.ts';
import { brokenTrial } from './broken-trial.ts';
import type { OpenRun, OpenRuns } from './open-runs.ts';
import { playTrial } from './play-trial.ts';
import { replayTrial } from './replay-trial.ts';
import { teardownOfTrial } from './teardown-of-trial.ts';
import type { TrialPayments } from './trial-payments.ts';
import type { WorkerDependencies } from './worker-parts.ts';

export function trialsKind(
  dependencies: WorkerDependencies,
  runs: OpenRuns,
  payments: TrialPayments,
  { atOnce, leaseMs }: { readonly atOnce: number; readonly leaseMs: number },
): WorkKind {
  const worker = { ...dependencies, payments, leaseMs };
  return { atOnce, run: (work, attempt) => runSliceOf(worker, runs, work, attempt) };
}

interface TrialWorker extends WorkerDependencies {
  readonly payments: TrialPayments;
  readonly leaseMs: number;
}

async function runSliceOf(
  dependencies: TrialWorker,
  runs: OpenRuns,
  work: ClaimedWork,
  attempt: WorkAttempt,
): Promise<'completed' | 'left'> {
  const place = { ...work, runId: work.groupId };
  const progress = { isSpent: isSpent(work) };
  let plan: RunPlan;
  try {
    const done = await runs.use(place, async (run) => {
      const isDone = await runSlice(dependencies, run, work, attempt, progress);
      return isDone ? run.plan : undefined;
    });
    if (done === undefined) return 'left';
    plan = done;
  } catch (error) {
    const isOver = attempt.signal.aborted || error instanceof LeaseLost;
    if (!progress.isSpent || isOver || isPassing(error)) throw error;
    dependencies.log.error({ err: error, runId: place.runId }, 'Proofmark could not execute a run');
    await endGivenUp(dependencies, place);
    return 'completed';
  }
  const hasEnded = await retryWhileDatabaseIsAway(
    () => finishSlice(dependencies, place, work, plan),
    attempt.signal,
  );
  if (hasEnded) runs.forget(place.runId);
  return 'completed';
}

/** Returns whether the slice was played to its end. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over the trials of a slice with all of its ends, which decide whether it was run whole.
async function runSlice(
  dependencies: TrialWorker,
  run: OpenRun,
  work: ClaimedWork,
  { held, stopping, leaving, mayBegin, signal }: WorkAttempt,
  progress: { isSpent: boolean },
): Promise<boolean> {
  const { database, payments, runLimits } = dependencies;
  const open = await database.tenant([work.organizationId], (sql) => beginSlice(sql, work));
  const trials = planTrials(run.plan);
  const credits = creditsOfRun(database, work, runLimits.creditsPerDay, run.plan.maxCredits);
  await credits.payEarlierHolders(open);
  const writeUpdate = async (update: Omit<TrialUpdate, 'held'>) => {
    try {
      await run.writer.write({ held, ...update }, signal);
    } catch (error) {
      if (update.ended) void payments.pay(work, update.ended);
      throw error;
    }
  };
  let ended: TrialToWrite | undefined;
  let left = open.length;
  for (const ordinal of open) {
    if (stopping.aborted || !mayBegin()) break;
    left -= 1;
    const trial = trials[ordinal - 1];
    if (trial === undefined)
      throw new Error('Internal fault: the plan of the run does not contain one of its trials.');
    if (progress.isSpent) {
      await writeUpdate({ ended: giveUp(run, trial, work) });
      progress.isSpent = false;
      continue;
    }
    // The check is retried during a database outage. An error here would lose a trial that has
    // ended but is not written yet.
    if (await retryWhileDatabaseIsAway(() => credits.areUsedUp(), signal)) {
      left = 0;
      break;
    }
    const after = teardownOfTrial(dependencies, run, trial, { work, leaving, signal });
    await writeUpdate({ ...(ended && { ended }), begins: ordinal });
    const outcome = await runOne(run, trial, { work, payments, signal, after, database });
    ended = outcome instanceof CreditsUsedUp ? undefined : outcome;
    if (outcome instanceof CreditsUsedUp) {
      await credits.stopRun(outcome.reason);
      left = 0;
      break;
    }
  }
  if (ended !== undefined) await writeUpdate({ ended });
  return left === 0;
}

/**
 * Runs one trial. Any error thrown here is a failure of Proofmark, even if it looks like a database
 * error.
 */
async function runOne(
  run: OpenRun,
  trial: PlannedTrial,
  { work, payments, signal, after, database }: SliceUnderWay,
): Promise<TrialToWrite | CreditsUsedUp> {
  const meter = payments.meter(work, run, trial);
  const { ordinal } = trial;
  /**
   * Set before the cleanup calls are made: if only those lack credits, the trial gets a warning but
   * keeps its result.
   */
  let lackedCredits: boolean | undefined;
  const lacksCredits = () => lackedCredits ?? meter.isOutOfCredits();
  const ownAfter: AfterOfTrial | undefined = after && {
    owe: () => after.owe(),
    withdraw: () => after.withdraw(),
    make(calls) {
      lackedCredits = meter.isOutOfCredits();
      return after.make(calls);
    },
  };
  try {
    const place = { database, signal, organizationId: work.organizationId };
    return await playTrial(run, trial, {
      meter,
      after: ownAfter,
      signal,
      replay: (terms, dependencies) => replayTrial(place, run, terms, trial, dependencies),
      // A trial has no result if credits were missing for any of its model calls, even if the other
      // calls succeeded.
      refuse() {
        if (lacksCredits()) throw new CreditsUsedUp(meter.usedUp());
      },
    });
  } catch (error) {
    const paid = payments.pay(work, { ordinal, spent: meter.spent() });
    signal.throwIfAborted();
    if (error instanceof LeaseLost) throw error;
    if (!lacksCredits()) {
      throw new Error(`Trial ${ordinal} could not be run by Proofmark itself.`, { cause: error });
    }
    await paid;
    return new CreditsUsedUp(meter.usedUp());
  }
}

interface SliceUnderWay {
  readonly work: ClaimedWork;
  readonly payments: TrialPayments;
  readonly signal: AbortSignal;
  readonly after: AfterOfTrial | undefined;
  readonly database: WorkerDependencies['database'];
}

function giveUp({ plan }: OpenRun, trial: PlannedTrial, work: ClaimedWork): TrialToWrite {
  const planned = plan.cases[trial.caseIndex];
  if (planned === undefined)
    throw new Error('Internal fault: the plan of the run has no case for one of its trials.');
  return brokenTrial(trial.ordinal, planned, attemptsInWords(work));
}

/**
 * Completes the slice; if it was the run's last, ends the run in the same transaction. Returns
 * whether it was the last.
 */
async function finishSlice(
  { database }: WorkerDependencies,
  { organizationId, projectId, runId }: RunLocation,
  work: ClaimedWork,
  plan: RunPlan,
): Promise<boolean> {
  const finish = async (sql: Sql) => {
    const run = await readRun(sql, projectId, runId, 'forUpdate');
    if (run === undefined) return false;
    if (run.snapshot.planned !== undefined && run.status === 'running' && run.stopReason === null) {
      await beginNextLook(sql, work, plan);
    }
    const isLast = (await completeWork(sql, work)) === 'last';
    if (isLast && run.stopReason === null) await endRun(sql, run, 'completed');
    // All begun trials have ended by now; the others are never played.
    if (isLast && run.stopReason !== null) await endRun(sql, run, 'cancelled', run.stopReason);
    return isLast;
  };
  return database.tenant([organizationId], finish, 'slow');
}

async function endGivenUp(
  { database }: WorkerDependencies,
  { organizationId, projectId, runId }: RunLocation,
): Promise<void> {
  const end = async (sql: Sql) => {
    const run = await readRun(sql, projectId, runId, 'forUpdate');
    if (run?.status === 'pending' || run?.status === 'running') await endRun(sql, run, 'failed');
  };
  await database.tenant([organizationId], end, 'slow');
}

/**
 * Applies the run's credit limit to its slices. Once the limit is reached, no further trial begins,
 * and the last slice ends the run.
 */
interface CreditsOfRun {
  /**
   * Charges the reservations of workers that lost the work, because their credits would otherwise
   * stay reserved for long.
   */
  payEarlierHolders(ordinals: readonly number[]): Promise<void>;
  areUsedUp(): Promise<boolean>;
  stopRun(reason: StopReason): Promise<void>;
}

function creditsOfRun(
  database: Pick<Database, 'tenant'>,
  work: ClaimedWork,
  creditsPerDay: number | null,
  maxCredits: number | undefined,
): CreditsOfRun {
  const { organizationId, groupId: runId, lease } = work;
  const stopRun = (reason: StopReason) =>
    database.tenant([organizationId], (sql) => markStopping(sql, runId, reason));
  if (creditsPerDay === null && maxCredits === undefined) {
    return { payEarlierHolders: async () => undefined, areUsedUp: async () => false, stopRun };
  }
  const whichAreUsedUp = async (sql: Sql): Promise<StopReason | undefined> => {
    const limited = maxCredits === undefined ? undefined : await readRunCredits(sql, runId);
    // A run without costs may continue even with a limit of zero credits.
    if (limited !== undefined && limited.used > 0 && limited.used >= limited.maxCredits) {
      return 'maxCredits';
    }
    if (creditsPerDay === null) return undefined;
    return (await readSpentToday(sql, organizationId)) < creditsPerDay ? undefined : 'credits';
  };
  return {
    payEarlierHolders(ordinals) {
      const refs = ordinals.map((ordinal) => `${runId}/${ordinal}`);
      const isOwn = (step: string) => step.endsWith(` ${lease}`);
      return database.tenant([organizationId], (sql) =>
        settleOfEarlierHolders(sql, work, { refs, isOwn }),
      );
    },
    areUsedUp: () =>
      database.tenant([organizationId], async (sql) => {
        const usedUp = await whichAreUsedUp(sql);
        if (usedUp === undefined) return isStopping(sql, runId);
        await markStopping(sql, runId, usedUp);
        return true;
      }),
    stopRun,
  };
}

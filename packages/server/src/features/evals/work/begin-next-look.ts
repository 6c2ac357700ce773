/**
 * Begins the next look (batch of trials) of a case variant with a trial plan, once all trials of
 * the last look have ended. The caller holds the run's lock and completes the slice in the same
 * transaction, so every look is decided exactly once.
 */
import {
  followPlan,
  placedPlans,
  planTrials,
  type RunPlan,
  resultsOfPlan,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { makeNewId } from '../../../platform/operations/make-new-id.ts';
import {
  addToWork,
  type ClaimedWork,
  holdWork,
  lockGroup,
} from '../../../platform/work/store/leased-work.ts';
import { caseOfTrials, pendingTrial } from '../operations/runs/rows-of-launch.ts';
import { insertPendingTrials } from '../store/launched-runs.ts';
import { expectMoreTrials, readTrialsOfPlan } from '../store/planned-trials.ts';

export async function beginNextLook(sql: Sql, work: ClaimedWork, plan: RunPlan): Promise<void> {
  const placed = placedPlans(plan).find(
    ({ firstOrdinal, lastOrdinal }) =>
      firstOrdinal <= work.firstItem && work.firstItem <= lastOrdinal,
  );
  if (placed === undefined) return;
  const { groupId: runId, organizationId } = work;
  const results = resultsOfPlan(placed, await readTrialsOfPlan(sql, runId, placed));
  const { next } = followPlan(placed.plan, results);
  if (next.kind !== 'begin') return;
  // Statements that need no answer of each other are sent together, in this order.
  const [, [isHeld]] = await Promise.all([
    lockGroup(sql, work),
    holdWork(sql, work, [{ held: work, madeProgress: false }]),
  ]);
  if (!isHeld) return;
  const first = placed.firstOrdinal + results.length;
  const trials = planTrials(plan).slice(first - 1, first - 1 + next.trials);
  const pending = trials.map((trial) => ({
    ...pendingTrial(plan, trial, makeNewId),
    caseIndex: 0,
  }));
  const run = { id: runId, organizationId };
  const ranges = pending.map(({ ordinal }) => ({ firstItem: ordinal, lastItem: ordinal }));
  await Promise.all([
    insertPendingTrials(sql, run, [caseOfTrials(placed.planned)], pending),
    addToWork(sql, work, ranges),
    expectMoreTrials(sql, runId, pending.length),
  ]);
}

/**
 * Finds the run whose recordings a replay uses. If the requested run is itself a replay, the run
 * that it replayed is used. The run must belong to the suite, because a replay uses the suite's
 * current content.
 */
import { invalid, notFound, type ReplayTermsOfRun, type StatedTrialPlan } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { readRun } from '../../store/eval-runs.ts';
import { listRecordedTrials, type RecordedTrialOfRun } from '../../store/recorded-trials.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { notRecorded } from './not-recorded.ts';

export interface ResolvedReplay {
  readonly terms: ReplayTermsOfRun;
  readonly recorded: readonly RecordedTrialOfRun[];
  /** The trial plan of the run's launch, so that the same results give the same decision. */
  readonly trials?: StatedTrialPlan;
}

export async function resolveReplay(
  sql: Sql,
  projectId: string,
  suiteId: string,
  asked: ReplayTermsOfRun,
  path = 'body.replay.runId',
): Promise<ResolvedReplay> {
  const run = (await readRun(sql, projectId, asked.runId)) ?? refuse(notFound);
  if (run.suiteId !== suiteId) {
    const message = 'This run does not belong to the suite; name a run of the suite.';
    return refuse(invalid(path, message));
  }
  if (run.source === 'sdk') return refuse(notRecorded('This run was reported from outside.'));
  const runId = run.replay?.runId ?? run.id;
  const recorded = await listRecordedTrials(sql, runId);
  if (recorded.length === 0) return refuse(notRecorded('This run has no recorded trials.'));
  const trials = (await findRunPlan(sql, runId))?.overrides?.trials;
  return { terms: { ...asked, runId }, recorded, ...(trials && { trials }) };
}

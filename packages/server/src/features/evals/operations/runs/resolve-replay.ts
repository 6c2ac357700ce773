/**
 * Which run a replay is played from. Of a run that is itself a replay it is the one that was recorded. The suite is that
 * of now, so the run must be one of it.
 */
import {
  invalid,
  notFound,
  type Refusal,
  type ReplayTermsOfRun,
  type TrialToMatch,
} from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { readRun } from '../../store/eval-runs.ts';
import {
  listRecordedTrials,
  listTrialsToReplay,
  type RecordedTrialOfRun,
} from '../../store/recorded-trials.ts';

export interface ResolvedReplay {
  readonly terms: ReplayTermsOfRun;
  readonly recorded: readonly RecordedTrialOfRun[];
  /** What there is to play, also where its recording cannot be played. */
  readonly toPlay: readonly TrialToMatch[];
}

export async function resolveReplay(
  sql: Sql,
  projectId: string,
  suiteId: string,
  asked: ReplayTermsOfRun,
  /** Where the request names the run. */
  path = 'body.replay.runId',
): Promise<ResolvedReplay> {
  const run = (await readRun(sql, projectId, asked.runId)) ?? refuse(notFound);
  if (run.suiteId !== suiteId) {
    const message = 'This run is not one of the suite; name one that is.';
    return refuse(invalid(path, message));
  }
  if (run.source === 'sdk') return refuse(notRecorded('This run was reported from outside.'));
  const runId = run.replay?.runId ?? run.id;
  const recorded = await listRecordedTrials(sql, runId);
  if (recorded.length === 0) return refuse(notRecorded('Nothing of this run is kept.'));
  const toPlay = await listTrialsToReplay(sql, runId);
  return { terms: { ...asked, runId }, recorded, toPlay };
}

function notRecorded(why: string): Refusal {
  const message = `${why} Only a run whose trials were recorded can be replayed.`;
  return { code: 'CONFLICT', message, details: { reason: 'NOT_RECORDED' } };
}

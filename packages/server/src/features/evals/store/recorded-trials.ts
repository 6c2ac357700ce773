import {
  Divergence,
  type ReplayedTrial,
  type ReplayTermsOfRun,
  summarizeReplay,
  type TrialToMatch,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import type { StoredRecording } from './recordings.ts';

export interface RecordedTrialOfRun extends TrialToMatch {
  readonly ordinal: number;
  readonly hash: string;
}

export async function listRecordedTrials(sql: Sql, runId: string): Promise<RecordedTrialOfRun[]> {
  return sql<RecordedTrialOfRun[]>`
    select ordinal, recording_hash as hash, case_id, model, provider, iteration_number as repetition
    from eval_iterations
    where run_id = ${runId} and recording_state = 'kept' and case_id is not null order by ordinal`;
}

/** Leaves out the content if the caller already has it. */
export async function readRecordingAt(
  sql: Sql,
  runId: string,
  ordinal: number,
  needsContent: boolean,
): Promise<Pick<StoredRecording, 'content' | 'durations'> | undefined> {
  const [row] = await sql<Pick<StoredRecording, 'content' | 'durations'>[]>`
    select case when ${needsContent}::boolean then content end as content, durations
    from trial_recordings join recordings using (organization_id, hash)
    where run_id = ${runId} and ordinal = ${ordinal}`;
  return row;
}

export async function listReplayedTrials(sql: Sql, runId: string): Promise<ReplayedTrial[]> {
  const rows = await sql<{ state: string | null; divergence: string | null }[]>`
    select replay_state as state, divergence from eval_iterations
    where run_id = ${runId} order by ordinal`;
  return rows.map(({ state, divergence }) => ({ state, divergence: readDivergence(divergence) }));
}

export async function keepReplay(sql: Sql, runId: string, terms: ReplayTermsOfRun): Promise<void> {
  const summary = summarizeReplay(terms, await listReplayedTrials(sql, runId));
  await sql`update eval_runs set replay = ${JSON.stringify(summary)} where id = ${runId}`;
}

export function readDivergence(text: string | null): Divergence | null {
  return Divergence.safeParse(readRecord(text)).data ?? null;
}

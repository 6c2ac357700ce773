/** Equal recordings share one stored content, which is kept as long as a trial references it. */
import type { RecordingDurations, RecordingState } from '@proofmark/domain';
import { columnsOfRows } from '../../../platform/database/columns-of-rows.ts';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { inEveryOrganization } from '../../../platform/database/in-every-organization.ts';

export interface RecordingToWrite {
  readonly state: RecordingState;
  /** The size of the content before compression, in bytes. */
  readonly bytes: number;
  readonly hash: string | null;
  /** The compressed content of a stored recording, in base64. */
  readonly content?: string;
  readonly durations?: RecordingDurations;
}

interface RecordedTrial {
  readonly ordinal: number;
  readonly recording?: RecordingToWrite;
}

interface KeptRecording {
  readonly ordinal: number;
  readonly hash: string;
  readonly content: string;
  readonly durations: RecordingDurations;
}

const contents = columnsOfRows<KeptRecording>([
  { name: 'hash', type: 'text', of: ({ hash }) => hash },
  { name: 'content', type: 'bytes', of: ({ content }) => content },
]);
const names = columnsOfRows<KeptRecording>([
  { name: 'ordinal', type: 'integer', of: ({ ordinal }) => ordinal },
  { name: 'hash', type: 'text', of: ({ hash }) => hash },
  { name: 'durations', type: 'text', of: ({ durations }) => durations },
]);

/**
 * Inserts the contents before a trial references them. Existing contents are locked and marked as
 * just used, so that housekeeping does not delete them. Processing the hashes in sorted order keeps
 * two runs from deadlocking.
 */
export async function writeRecordings(
  sql: Sql,
  runId: string,
  organizationId: string,
  trials: readonly RecordedTrial[],
): Promise<void> {
  const kept = trials.flatMap(({ ordinal, recording }) => {
    const { hash = null, content, durations } = recording ?? {};
    const isKept = hash !== null && content !== undefined && durations !== undefined;
    return isKept ? [{ ordinal, hash, content, durations }] : [];
  });
  if (kept.length === 0) return;
  const distinct = [...new Map(kept.map((one) => [one.hash, one])).values()];
  await sql`
    insert into recordings (organization_id, ${contents.names})
    select ${organizationId}, ${contents.names} from ${contents.of(distinct)} contents order by hash
    on conflict (organization_id, hash) do update set last_named_at = now()
      where recordings.last_named_at < now() - interval '1 hour'`;
  await sql`
    insert into trial_recordings (run_id, organization_id, ${names.names})
    select ${runId}, ${organizationId}, ${names.names} from ${names.of(kept)} named`;
}

export interface StoredRecording {
  /** Null if the trial could not be recorded. */
  readonly state: RecordingState | null;
  readonly content: Buffer | null;
  readonly durations: string | null;
}

export async function findRecording(
  sql: Sql,
  projectId: string,
  runId: string,
  trialId: string,
): Promise<StoredRecording | undefined> {
  const [row] = await sql<StoredRecording[]>`
    select recording_state as state, content, durations
    from eval_runs
      join eval_iterations trial on trial.run_id = ${runId}
      left join trial_recordings named on named.run_id = ${runId} and named.ordinal = trial.ordinal
      left join recordings on recordings.organization_id = named.organization_id
        and recordings.hash = named.hash
    where eval_runs.id = ${runId} and project_id = ${projectId} and trial.id = ${trialId}`;
  return row;
}

/**
 * Deletes a run's recordings; its traces are deleted at the same time. The trials still show that
 * they had a recording.
 */
export async function expireRecordings(sql: Sql, runId: string): Promise<void> {
  await Promise.all([
    sql`delete from trial_recordings where run_id = ${runId}`,
    sql`
      update eval_iterations set recording_state = 'expired', recording_hash = null
      where run_id = ${runId} and recording_state = 'kept'`,
  ]);
}

/**
 * Deletes contents that no trial references. Locked rows are skipped, because a run may be about to
 * reference them.
 */
export function deleteUnnamedRecordings(database: Database): Promise<number> {
  return inEveryOrganization(
    database,
    (sql) => sql`
      delete from recordings using (
        select organization_id, hash from recordings
        where last_named_at < now() - interval '1 day' and not exists (
          select from trial_recordings named
          where named.organization_id = recordings.organization_id and named.hash = recordings.hash)
        for update skip locked
      ) as unnamed
      where recordings.organization_id = unnamed.organization_id and recordings.hash = unnamed.hash`,
  );
}

/**
 * Heartbeats of workers: each worker writes one regularly, with the time of the database clock. A
 * dead worker stays listed as silent for a day.
 */
import type { Database, Sql } from '../../../platform/database/database.ts';

export interface WorkerIdentity {
  readonly id: string;
  readonly host: string;
  readonly processId: number;
  readonly version: string;
  readonly trialsAtOnce: number;
}

export interface WorkerBeat extends WorkerIdentity {
  readonly startedAt: Date;
  readonly beatAt: Date;
  readonly secondsSinceBeat: number;
}

export async function recordBeat({ sql }: Pick<Database, 'sql'>, worker: WorkerIdentity) {
  const { id, host, processId, version, trialsAtOnce } = worker;
  await sql`
    insert into worker_beats (id, host, process_id, version, trials_at_once)
    values (${id}, ${host}, ${processId}, ${version}, ${trialsAtOnce})
    on conflict (id) do update set beat_at = clock_timestamp()`;
}

export async function deleteBeat({ sql }: Pick<Database, 'sql'>, id: string): Promise<void> {
  await sql`delete from worker_beats where id = ${id}`;
}

export async function deleteOldBeats({ sql }: Pick<Database, 'sql'>): Promise<number> {
  const { count } =
    await sql`delete from worker_beats where beat_at < clock_timestamp() - interval '1 day'`;
  return count;
}

export async function listBeats(sql: Sql): Promise<WorkerBeat[]> {
  return sql<WorkerBeat[]>`
    select id, host, process_id, version, trials_at_once, started_at, beat_at,
      greatest(extract(epoch from clock_timestamp() - beat_at), 0)::double precision as seconds_since_beat
    from worker_beats order by beat_at desc, id`;
}

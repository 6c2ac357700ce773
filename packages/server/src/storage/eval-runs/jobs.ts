/** Adds jobs to the queue, inside the transaction of whatever makes them necessary. */

import type { Sql } from '../database/database.ts';
import type { PlaceOfRun } from './eval-slices.ts';

/** A job with a key that is there already is not added twice. */
export async function addJob(
  sql: Sql,
  job: {
    readonly task: string;
    readonly payload: object;
    readonly key: string;
    readonly maxAttempts?: number;
  },
): Promise<void> {
  await sql`
    select add_job(${job.task}, ${JSON.stringify(job.payload)}, ${job.key}, ${job.maxAttempts ?? 3}, null)`;
}

export interface LaneJob extends PlaceOfRun {
  /** Which of the lanes of the run; a lane that was added to recover has a name. */
  readonly lane: number | string;
}

export async function addLane(sql: Sql, job: LaneJob): Promise<void> {
  await addJob(sql, { task: 'eval-lane', payload: job, key: `lane:${job.runId}:${job.lane}` });
}

/** Runs and judges that wait for work and have no job get one; says how many those were. */
export async function reviveWork(sql: Sql): Promise<number> {
  const [row] = await sql<{ revived: number }[]>`select revive_work() as revived`;
  return row?.revived ?? 0;
}

export async function addJudge(sql: Sql, place: PlaceOfRun): Promise<void> {
  const { organizationId, projectId, runId } = place;
  const payload = { organizationId, projectId, runId };
  await addJob(sql, { task: 'judge-run', payload, key: `judge:${runId}`, maxAttempts: 5 });
}

/** Recurring jobs follow the clock of the database, since the clock of a process may be wrong. */
import type { Sql } from '../../database/database.ts';

/**
 * Adds the jobs that are due; returns their number. Of concurrent callers only one adds each job.
 * If `last_at` is in the future, the clock was set back, so the job counts as due.
 */
export async function addDueJobs(sql: Sql): Promise<number> {
  const rows = await sql`
    with due as (
      select name from recurring_jobs
      where last_at <= clock_timestamp() - every or last_at > clock_timestamp()
      for update skip locked),
    taken as (
      update recurring_jobs set last_at = clock_timestamp() from due where recurring_jobs.name = due.name
      returning recurring_jobs.name)
    select add_job(name, '{}', name, 3, null) from taken`;
  return rows.length;
}

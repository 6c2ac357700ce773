import type { ScheduleAttempt } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';

export interface ScheduledLaunch {
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  readonly environmentId: string | null;
  /** The account that created the suite. */
  readonly accountId: string | null;
  /** The time at which the run is due, in milliseconds since 1970. */
  readonly tick: number;
}

/**
 * Creates a job for each due schedule and sets the schedule's next time, in one transaction.
 * Returns the number of jobs.
 */
export async function enqueueDueSchedules(sql: Sql): Promise<number> {
  const [row] = await sql<{ due: number }[]>`select launch_due_schedules() as due`;
  return row?.due ?? 0;
}

/** Stores the outcome of a scheduled launch. Does nothing if the suite was deleted meanwhile. */
export async function recordAttempt(
  sql: Sql,
  suiteId: string,
  error: ScheduleAttempt['error'],
): Promise<void> {
  await sql`
    update eval_suites set ${sql({
      schedule_error_code: error?.code ?? null,
      schedule_error_message: error?.message ?? null,
    })}, schedule_attempted_at = clock_timestamp() where id = ${suiteId}`;
}

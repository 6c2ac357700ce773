import type { ScheduleAttempt } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';

/** A run that a schedule requests, as stored in its job. */
export interface ScheduledLaunch {
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  /** The pinned environment. */
  readonly environmentId: string | null;
  /** The creator of the suite. */
  readonly accountId: string | null;
  /** The due time, in milliseconds since 1970. */
  readonly tick: number;
}

/**
 * Creates a job for each due schedule and moves it to its next time, in one transaction. Returns
 * the number of jobs.
 */
export async function enqueueDueSchedules(sql: Sql): Promise<number> {
  const [row] = await sql<{ due: number }[]>`select launch_due_schedules() as due`;
  return row?.due ?? 0;
}

/** If the suite was deleted meanwhile, nothing is stored. */
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

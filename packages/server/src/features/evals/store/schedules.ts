import type { ScheduleAttempt } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';

/** A run that a schedule wants, as its job knows it. */
export interface ScheduledLaunch {
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  /** The one that is pinned. */
  readonly environmentId: string | null;
  /** Whoever made the suite. */
  readonly accountId: string | null;
  /** When it was due, in milliseconds since 1970. */
  readonly tick: number;
}

/** What is due becomes a job each and is moved to its next time, in one transaction; says how many those were. */
export async function enqueueDueSchedules(sql: Sql): Promise<number> {
  const [row] = await sql<{ due: number }[]>`select launch_due_schedules() as due`;
  return row?.due ?? 0;
}

/** A suite that was deleted meanwhile remembers nothing. */
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

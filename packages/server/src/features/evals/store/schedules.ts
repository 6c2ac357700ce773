import { nextStart, type ScheduleAttempt, ScheduleCalendar } from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { databaseNow } from '../../../platform/database/database-now.ts';
import { readRecord } from '../../../platform/database/read-document.ts';

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
export async function enqueueDueSchedules(database: Database): Promise<number> {
  const [row] = await database.sql<{ due: number }[]>`select launch_due_schedules() as due`;
  let launched = row?.due ?? 0;
  const now = await databaseNow(database.sql);
  for (let due = mostAtOnce; due === mostAtOnce; ) {
    due = await enqueueDueCalendars(database, now);
    launched += due;
  }
  return launched;
}

/**
 * Does the same for schedules with a calendar that are due at `now`, at most `mostAtOnce`. Times
 * that passed while the service was down start one run, as those of an interval do.
 */
export async function enqueueDueCalendars(
  { transaction }: Pick<Database, 'transaction'>,
  now: Date,
): Promise<number> {
  return transaction(async (sql) => {
    const due = await sql<{ suiteId: string; calendar: string }[]>`
      select suite_id, calendar from due_calendars(${now}, ${mostAtOnce})`;
    const starts: { suiteId: string; nextMs: number }[] = [];
    for (const { suiteId, calendar: text } of due) {
      const calendar = readCalendar(text);
      const nextMs = calendar === null ? undefined : nextStart(calendar, now.getTime());
      if (nextMs === undefined) await sql`select postpone_calendar(${suiteId}, ${unknownCalendar})`;
      else starts.push({ suiteId, nextMs });
    }
    if (starts.length > 0) await sql`select launch_calendars(${JSON.stringify(starts)})`;
    return due.length;
  });
}

const mostAtOnce = 200;
const unknownCalendar =
  'This version of the service cannot read the time zone or the times of this schedule; save the schedule again with another time zone or other times.';

/**
 * Returns null if this version cannot read it: a newer one, or one that knows more zones, stored
 * it.
 */
export function readCalendar(text: string | null): ScheduleCalendar | null {
  return ScheduleCalendar.safeParse(readRecord(text)).data ?? null;
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

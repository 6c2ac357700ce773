import type { Sql } from './database.ts';

export interface DueSchedule {
  readonly organizationId: string;
  readonly projectId: string;
  readonly suiteId: string;
  /** The one that is pinned. */
  readonly environmentId: string | null;
  /** Whoever made the suite. */
  readonly accountId: string | null;
}

/** What is due, each already moved to its next time, so that nobody else launches it too. */
export async function takeDueSchedules(sql: Sql): Promise<DueSchedule[]> {
  return sql`select * from due_schedules()`;
}

/** Tables for the trials of this month and of those to come. What no month was made for goes into the default partitions. */
import { idMonths } from '@proofmark/domain';
import type { Database } from '../../../platform/database/database.ts';

export interface MonthAhead {
  readonly month: string;
  /** Held: many trials of the month lie in a default partition and stay there. Busy: to be tried again another time. */
  readonly outcome: 'made' | 'there' | 'held' | 'busy';
}

const monthsAhead = 3;
/** Whoever needs a default partition waits so long at most while it is looked through. */
const longestMs = 3000;

export async function makeMonthsAhead(
  database: Database,
  nowMs: number = Date.now(),
): Promise<MonthAhead[]> {
  const made: MonthAhead[] = [];
  for (const { name, from, to } of idMonths('evalRun', nowMs, monthsAhead)) {
    const [row] = await database.transaction(async (sql) => {
      await sql`select set_config('statement_timeout', ${String(longestMs)}, true)`;
      return sql<Pick<MonthAhead, 'outcome'>[]>`
        select make_month_of_trials(${name}, ${from}, ${to}) as outcome`;
    });
    made.push({ month: name, outcome: row?.outcome ?? 'busy' });
  }
  return made;
}

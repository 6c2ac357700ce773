/**
 * Creates the table partitions for the trials of this month and the following ones. Trials of a
 * month without its own partition go into the default partitions.
 */
import { idMonths } from '@proofmark/domain';
import type { Database } from '../../../platform/database/database.ts';

export interface MonthAhead {
  readonly month: string;
  /**
   * `held`: a default partition already contains many trials of the month, so they stay there.
   * `busy`: not possible now; a later call tries again.
   */
  readonly outcome: 'made' | 'there' | 'held' | 'busy';
}

const monthsAhead = 3;
/** Milliseconds for which the scan of a default partition may block other transactions. */
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

/**
 * Creates the partitions for the trials of this month and the following ones. Trials of a month
 * without a partition go into the default partitions.
 */
import { idMonths } from '@proofmark/domain';
import type { Database } from '../../../platform/database/database.ts';

export interface MonthAhead {
  readonly month: string;
  /**
   * `held`: a default partition contains many trials of the month, and they stay there. `busy`: to
   * be retried later.
   */
  readonly outcome: 'made' | 'there' | 'held' | 'busy';
}

const monthsAhead = 3;
/** The maximum time for which the scan of a default partition blocks others. */
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

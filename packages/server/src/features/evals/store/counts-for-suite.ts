/**
 * Returns the SQL form of the domain rule for runs that count for their suite. The snapshot is JSON
 * without spaces, in which quotation marks inside texts are escaped, so only a real field can match
 * the searched text. Snapshots of reported runs are not searched, because reported runs have no
 * overlay.
 */
import type { Fragment, Sql } from '../../../platform/database/database.ts';

export function countsForSuiteIn(sql: Sql): Fragment {
  return sql`(eval_runs.replay is null
    and (eval_runs.source = 'sdk' or position('"overlay":{' in eval_runs.snapshot) = 0))`;
}

/**
 * Selects runs that count for their suite, by the same rule as `countsForSuite` in the domain
 * package. The snapshot is compact JSON in which quotation marks inside texts are escaped, so only
 * a real field can match. Reported runs have no overlay, so their snapshots are not searched.
 */
import type { Fragment, Sql } from '../../../platform/database/database.ts';

export function countsForSuiteIn(sql: Sql): Fragment {
  return sql`(eval_runs.replay is null
    and (eval_runs.source = 'sdk' or position('"overlay":{' in eval_runs.snapshot) = 0))`;
}

/**
 * The rule of the domain on rows of eval_runs. The snapshot is JSON without spaces, in which a quotation mark that belongs
 * to a text is escaped, so that only a field can be spelled like this; a reporter's words are not looked at, since nobody
 * reports what was seen under an overlay.
 */
import type { Fragment, Sql } from '../../../platform/database/database.ts';

export function countsForSuiteIn(sql: Sql): Fragment {
  return sql`(eval_runs.replay is null
    and (eval_runs.source = 'sdk' or position('"overlay":{' in eval_runs.snapshot) = 0))`;
}

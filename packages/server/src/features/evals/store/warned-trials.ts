/**
 * Counts the trials of a run whose cleanup failed, with the first distinct messages. Returns
 * undefined if there are none. Other warnings are shown only with their trials.
 */
import type { Sql } from '../../../platform/database/database.ts';
import { readRecords } from '../../../platform/database/read-document.ts';

const readTrials = 50;
const shownMessages = 5;

export async function countWarnedTrials(
  sql: Sql,
  runId: string,
): Promise<{ readonly count: number; readonly messages: string[] } | undefined> {
  const rows = await sql<{ warnings: string; count: number }[]>`
    select warnings, (count(*) over ())::integer as count from eval_iterations
    where run_id = ${runId} and warnings like '%"code":"AFTER_%' order by ordinal limit ${readTrials}`;
  const [first] = rows;
  if (first === undefined) return undefined;
  const warningTexts = rows.flatMap(({ warnings }) =>
    readRecords(warnings).flatMap(({ code, message }) =>
      String(code).startsWith('AFTER_') ? [String(message)] : [],
    ),
  );
  return { count: first.count, messages: [...new Set(warningTexts)].slice(0, shownMessages) };
}

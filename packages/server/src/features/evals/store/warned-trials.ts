/**
 * Trials of a run that could not be cleaned up after, with the first messages of them, each once. Nothing where there is
 * none. Other warnings are told by their trials alone.
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
  const told = rows.flatMap(({ warnings }) =>
    readRecords(warnings).flatMap(({ code, message }) =>
      String(code).startsWith('AFTER_') ? [String(message)] : [],
    ),
  );
  return { count: first.count, messages: [...new Set(told)].slice(0, shownMessages) };
}

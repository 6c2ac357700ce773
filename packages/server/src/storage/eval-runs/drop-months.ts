/** Months of which every run goes, in all organizations, lose their tables at once: that leaves no dead rows behind. */
import { idMonths } from '@proofmark/domain';
import type { Database } from '../database/database.ts';

/** Whoever reads or writes trials waits so long at most. */
const longestMs = 5000;
const longestYears = 10;

/** The runs themselves stay, to be removed one by one. Says which months went. */
export async function dropWholeMonths(
  database: Database,
  going: readonly string[],
  nowMs: number = Date.now(),
): Promise<string[]> {
  const from = new Date(nowMs);
  const count = longestYears * 12;
  const first = Date.UTC(from.getUTCFullYear() - longestYears, from.getUTCMonth());
  const dropped: string[] = [];
  for (const { name, from: firstId, to: nextId } of idMonths('evalRun', first, count)) {
    const ofMonth = going.filter((id) => id >= firstId && id < nextId);
    if (ofMonth.length === 0) continue;
    const [row] = await database.transaction(async (sql) => {
      await sql`select set_config('statement_timeout', ${String(longestMs)}, true)`;
      return sql<{ outcome: string }[]>`
        select drop_month_of_trials(${name}, ${firstId}, ${nextId}, ${ofMonth}) as outcome`;
    });
    if (row?.outcome === 'dropped') dropped.push(name);
  }
  return dropped;
}

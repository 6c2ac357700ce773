/**
 * Drops the tables of months in which no organization keeps a run. Unlike deleting rows, this
 * leaves no dead rows behind.
 */
import { idMonths } from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { lockRemovable } from './remove-retained.ts';

/**
 * The approximate maximum time, in milliseconds, for which a drop makes other readers and writers
 * of trials wait.
 */
const longestMs = 5000;
const longestYears = 10;

export interface GoingRuns {
  readonly organizationId: string;
  readonly runs: readonly string[];
}

export interface GoingMonth {
  readonly name: string;
  readonly firstId: string;
  readonly nextId: string;
  /**
   * The runs of the month that retention removes. `dropMonth` checks whether the month has other
   * runs.
   */
  readonly going: readonly GoingRuns[];
}

export function monthsOf(
  going: readonly GoingRuns[],
  nowMs: number = Date.now(),
): readonly GoingMonth[] {
  const from = new Date(nowMs);
  const first = Date.UTC(from.getUTCFullYear() - longestYears, from.getUTCMonth());
  return idMonths('evalRun', first, longestYears * 12)
    .map(({ name, from: firstId, to: nextId }) => {
      const ofMonth = going.map(({ organizationId, runs }) => ({
        organizationId,
        runs: runs.filter((id) => id >= firstId && id < nextId),
      }));
      return { name, firstId, nextId, going: ofMonth.filter(({ runs }) => runs.length > 0) };
    })
    .filter((month) => month.going.length > 0);
}

/**
 * Drops the month's tables and deletes its runs in one transaction, so that no run is ever visible
 * without its trials. Rows are locked before tables, as in all transactions, to avoid deadlocks.
 * Returns whether the month was dropped; if that takes too long, nothing changes.
 */
export async function dropMonth(
  database: Database,
  { name, firstId, nextId, going }: GoingMonth,
  remove: (sql: Sql, organizationId: string, runs: readonly string[]) => Promise<unknown>,
): Promise<boolean> {
  const organizationIds = going.map(({ organizationId }) => organizationId);
  const drop = async (sql: Sql) => {
    await sql`select set_config('statement_timeout', ${String(longestMs)}, true)`;
    for (const { organizationId, runs } of going) {
      const free = await lockRemovable(sql, organizationId, runs);
      if (free.length < runs.length) return false;
    }
    const ids = going.flatMap(({ runs }) => runs);
    const [row] = await sql<{ outcome: string }[]>`
      select drop_month_of_trials(${name}, ${firstId}, ${nextId}, ${ids}) as outcome`;
    if (row?.outcome !== 'dropped') return false;
    const droppedMs = performance.now();
    for (const { organizationId, runs } of going) {
      if (performance.now() - droppedMs > longestMs) throw new TookTooLong();
      await remove(sql, organizationId, runs);
    }
    return true;
  };
  try {
    return await database.tenant(organizationIds, drop);
  } catch (error) {
    const { code } = error as { code?: string };
    if (error instanceof TookTooLong || code === queryCanceled) return false;
    throw error;
  }
}

class TookTooLong extends Error {}
const queryCanceled = '57014';

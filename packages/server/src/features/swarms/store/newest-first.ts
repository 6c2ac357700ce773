import { cutPage, type Page, type PageRequest } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';

interface ListedRow {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * Returns the end of a query, for use after a `where` condition. The query reads one row more than
 * the limit, which shows whether a next page exists.
 */
export function newestFirst(sql: Sql, { after, limit }: PageRequest): Fragment {
  return sql`and archived_at is null
    ${after ? sql`and (created_at, id) < (${new Date(after.order)}, ${after.id})` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`;
}

export function cutNewestFirst<Row extends ListedRow>(
  rows: readonly Row[],
  { limit }: PageRequest,
): Page<Row> {
  return cutPage(rows, limit, ({ id, createdAt }) => ({ order: createdAt.getTime(), id }));
}

/**
 * With `forShare`, a row cannot be archived before the transaction ends that writes a reference to
 * it.
 */
export type SwarmRowLock = 'forNoKeyUpdate' | 'forShare' | 'read';

export function lockOf(sql: Sql, lock: SwarmRowLock): Fragment {
  return {
    forNoKeyUpdate: sql`for no key update`,
    forShare: sql`for share`,
    read: sql``,
  }[lock];
}

import { cutPage, type Page, type PageRequest } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';

interface ListedRow {
  readonly id: string;
  readonly createdAt: Date;
}

/**
 * Returns the end of a query, to append to a condition on the project. The query reads one row more
 * than the limit.
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

/** `forShare` prevents a row's archiving while another row that references it is written. */
export type SwarmRowLock = 'forNoKeyUpdate' | 'forShare' | 'read';

export function lockOf(sql: Sql, lock: SwarmRowLock): Fragment {
  return {
    forNoKeyUpdate: sql`for no key update`,
    forShare: sql`for share`,
    read: sql``,
  }[lock];
}

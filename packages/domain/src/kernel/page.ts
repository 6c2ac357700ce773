const largestPage = 200;

export function pageLimit(
  text: string | undefined,
  defaultLimit: number,
): { limit: number } | { problem: string } {
  if (text === undefined) return { limit: defaultLimit };
  if (!/^[+-]?\d{1,15}$/.test(text)) return { problem: 'limit must be an integer.' };
  return { limit: Math.min(largestPage, Math.max(1, Number(text))) };
}

/**
 * The sort key of a page's last row: its time in milliseconds or its position, then its id to break
 * ties.
 */
export interface PagePosition {
  readonly order: number;
  readonly id: string;
}

export interface PageRequest {
  readonly limit: number;
  readonly after?: PagePosition;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next?: PagePosition;
}

/**
 * Removes the extra row from a page. Storage reads one row more than requested, only to show
 * whether another page follows.
 */
export function cutPage<Item>(
  rows: readonly Item[],
  limit: number,
  position: (item: Item) => PagePosition,
): Page<Item> {
  if (rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  return { items, next: position(items[items.length - 1] as Item) };
}

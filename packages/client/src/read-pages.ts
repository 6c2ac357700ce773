/**
 * Reads lists of the API page by page. Each page except the last contains the cursor of the next
 * one.
 */
export interface PageCursor {
  readonly cursor?: string;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | undefined;
}

export type ReadPage<Item> = (cursor: PageCursor) => Promise<ListPage<Item>>;

export const firstPage: PageCursor = {};

/** Returns the cursor for the next page, or undefined after the last one. */
export function pageAfter({ nextCursor }: ListPage<unknown>): PageCursor | undefined {
  return nextCursor === undefined ? undefined : { cursor: nextCursor };
}

/** Reads up to `mostPages` pages. `isAll` tells whether that was the whole list. */
export async function readPages<Item>(
  readPage: ReadPage<Item>,
  mostPages: number = Number.POSITIVE_INFINITY,
): Promise<{ items: Item[]; isAll: boolean }> {
  const items: Item[] = [];
  let at: PageCursor | undefined = firstPage;
  for (let read = 0; read < mostPages && at !== undefined; read += 1) {
    const page: ListPage<Item> = await readPage(at);
    for (const item of page.items) items.push(item);
    at = pageAfter(page);
  }
  return { items, isAll: at === undefined };
}

/** Reads all pages of a list. */
export async function readAllPages<Item>(readPage: ReadPage<Item>): Promise<Item[]> {
  return (await readPages(readPage)).items;
}

/** Reads lists page by page: each page of the API carries the cursor of the next one, the last page carries none. */
export interface PageCursor {
  readonly cursor?: string;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | undefined;
}

export type ReadPage<Item> = (cursor: PageCursor) => Promise<ListPage<Item>>;

export const firstPage: PageCursor = {};

/** Where the next page starts; undefined after the last page. */
export function pageAfter({ nextCursor }: ListPage<unknown>): PageCursor | undefined {
  return nextCursor === undefined ? undefined : { cursor: nextCursor };
}

/** Reads at most this many pages. `isAll` says whether the list ended with them. */
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

/** Reads a list to its end. */
export async function readAllPages<Item>(readPage: ReadPage<Item>): Promise<Item[]> {
  return (await readPages(readPage)).items;
}

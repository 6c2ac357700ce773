/** Each page except the last contains the cursor of the next page. */
export interface PageCursor {
  readonly cursor?: string;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | undefined;
}

export type ReadPage<Item> = (cursor: PageCursor) => Promise<ListPage<Item>>;

export const firstPage: PageCursor = {};

export function pageAfter({ nextCursor }: ListPage<unknown>): PageCursor | undefined {
  return nextCursor === undefined ? undefined : { cursor: nextCursor };
}

/** `isAll` is true if the pages read are the whole list. */
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

export async function readAllPages<Item>(readPage: ReadPage<Item>): Promise<Item[]> {
  return (await readPages(readPage)).items;
}

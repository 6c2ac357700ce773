/** How a list that is read page by page, as somebody asks for more, is put into the cache. */
import { firstPage, type ListPage, type PageCursor, pageAfter } from '@proofmark/client';

export function pagedQuery<Page extends ListPage<unknown>>(
  readPage: (page: PageCursor, signal: AbortSignal) => Promise<Page>,
) {
  return {
    initialPageParam: firstPage,
    queryFn: ({ pageParam, signal }: { pageParam: PageCursor; signal: AbortSignal }) =>
      readPage(pageParam, signal),
    getNextPageParam: (last: Page) => pageAfter(last),
  };
}

/** All items of the pages that have been read so far. */
export function itemsRead<Item>(data: { readonly pages: readonly ListPage<Item>[] }): Item[] {
  return data.pages.flatMap(({ items }) => items);
}

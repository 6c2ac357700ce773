/** Reads a list to its end, page by page. */
export async function readAll<Item>(
  readPage: (page: {
    cursor?: string;
  }) => Promise<{ items: readonly Item[]; nextCursor?: string | undefined }>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(cursor === undefined ? {} : { cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

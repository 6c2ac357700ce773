/** Reads a list to its end. For lists that stay small and that a page looks things up in. */
export async function allPages<Item>(
  readPage: (cursor: {
    cursor?: string;
  }) => Promise<{ items: Item[]; nextCursor?: string | undefined }>,
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

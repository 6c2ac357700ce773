import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PageCursor, readAllPages, readPages } from './read-pages.ts';

function listOf(pages: readonly (readonly number[])[]) {
  const asked: (string | undefined)[] = [];
  const readPage = async ({ cursor }: PageCursor) => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    const isLast = at >= pages.length - 1;
    return { items: pages[at] ?? [], ...(!isLast && { nextCursor: String(at + 1) }) };
  };
  return { asked, readPage };
}

const anyPages = fc.array(fc.array(fc.integer(), { maxLength: 4 }), { minLength: 1, maxLength: 8 });

test('a list is read to its end, in order, each page once, also past an empty page', async () => {
  await fc.assert(
    fc.asyncProperty(anyPages, async (pages) => {
      const { asked, readPage } = listOf(pages);
      expect(await readAllPages(readPage)).toEqual(pages.flat());
      expect(asked).toEqual(pages.map((_, at) => (at === 0 ? undefined : String(at))));
    }),
  );
});

test('a bound on the pages is kept, and it is said whether the list ended within it', async () => {
  await fc.assert(
    fc.asyncProperty(anyPages, fc.integer({ min: 1, max: 10 }), async (pages, mostPages) => {
      const { asked, readPage } = listOf(pages);
      const read = await readPages(readPage, mostPages);
      expect(read).toEqual({
        items: pages.slice(0, mostPages).flat(),
        isAll: pages.length <= mostPages,
      });
      expect(asked).toHaveLength(Math.min(pages.length, mostPages));
    }),
  );
});

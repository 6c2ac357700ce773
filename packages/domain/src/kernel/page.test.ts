import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutPage, pageLimit } from './page.ts';

describe('the limit of a page', () => {
  test.each([
    [undefined, 50],
    ['1', 1],
    ['200', 200],
    ['201', 200],
    ['0', 1],
    ['-7', 1],
    ['+5', 5],
  ])('%s asks for %s', (text, limit) => {
    expect(pageLimit(text, 50)).toEqual({ limit });
  });

  test.each(['', ' ', '1.5', '1e3', '0x10', 'ten', 'NaN', 'Infinity', '9'.repeat(16)])(
    '%j is no integer',
    (text) => {
      expect(pageLimit(text, 50)).toHaveProperty('problem');
    },
  );
});

test('walking all pages meets every row once, in order, and ends', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1000)), fc.integer({ min: 1, max: 20 }), (numbers, limit) => {
      const rows = [...numbers]
        .sort((one, other) => one - other)
        .map((order) => ({ order, id: String(order) }));
      const seen: number[] = [];
      let after = -1;
      for (let pages = 0; pages <= rows.length; pages += 1) {
        const read = rows.filter((row) => row.order > after).slice(0, limit + 1);
        const page = cutPage(read, limit, (row) => row);
        seen.push(...page.items.map((row) => row.order));
        if (page.next === undefined) break;
        after = page.next.order;
      }
      expect(seen).toEqual(rows.map((row) => row.order));
    }),
  );
});

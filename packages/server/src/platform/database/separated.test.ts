import { expect, test } from 'vitest';
import { type Cell, separated } from './separated.ts';

const cells = [0, 1, 2].map((place) => (row: readonly Cell[]) => row[place]);

test('texts without control characters travel with marks of one character', () => {
  expect(
    separated(
      [
        ['a', 1, undefined],
        ['b', { c: '\u001f' }, true],
      ],
      cells,
    ),
  ).toEqual({
    text: 'a\u001f1\u001f\u0018\u001f\u001eb\u001f{"c":"\\u001f"}\u001ftrue\u001f',
    rowEnd: '\u001e',
    cellEnd: '\u001f',
    absent: '\u0018',
  });
});

test.each(['a\u001eb', 'a\u001fb', '\u0018'])(
  'a text that holds a mark makes all of them longer (%j)',
  (text) => {
    const { rowEnd, cellEnd, absent } = separated([[text, 'x', undefined]], cells);
    for (const mark of [rowEnd, cellEnd, absent]) expect(mark.length).toBeGreaterThan(1);
  },
);

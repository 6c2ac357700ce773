import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cell, separated } from './separated.ts';

const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.string({ minLength: 1, unit: fc.constantFrom('a', '"', '\n', '\t', '\u001e', '\u001f', 'ü') }),
  fc.integer(),
  fc.constant(undefined),
  fc.constant(true as const),
  fc.array(fc.string({ unit: fc.constantFrom('\u001e', '\u001f', '\u0000', '\ud800', 'x') })),
);

test('whatever the cells hold, splitting gives each of them back', () => {
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1 });
  fc.assert(
    fc.property(rows, (given) => {
      const { text, rowEnd, cellEnd } = separated(given);
      const split = text.split(rowEnd).map((line) => line.split(cellEnd));
      expect(split).toEqual(given.map((row) => row.map(asText)));
    }),
  );
});

test('texts without control characters travel with separators of one character', () => {
  expect(
    separated([
      ['a', 1, undefined],
      ['b', { c: '\u001f' }, true],
    ]),
  ).toEqual({
    text: 'a\u001f1\u001f\u001eb\u001f{"c":"\\u001f"}\u001ftrue',
    rowEnd: '\u001e',
    cellEnd: '\u001f',
  });
});

function asText(value: Cell): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

import { expect, test } from 'vitest';
import { markedDifference } from './marked-difference.ts';

const shown = (before: string, after: string) =>
  markedDifference(before, after).map((line) =>
    line.map(({ text, isDifferent }) => (isDifferent ? `[${text}]` : text)).join(''),
  );

test.each([
  ['4 pens', '5 pens', '[4] pens', '[5] pens'],
  ['aa', 'aaa', 'aa', 'aa[a]'],
  ['', 'new', '', '[new]'],
  ['same', 'same', 'same', 'same'],
  ['a😀', 'a😁', 'a[😀]', 'a[😁]'],
])('%j beside %j', (before, after, left, right) => {
  expect(shown(before, after)).toEqual([left, right]);
});

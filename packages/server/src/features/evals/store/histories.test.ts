import { expect, test } from 'vitest';
import { inOrder } from './histories.ts';

test.each([
  ['1:101', '101'],
  ['1:1 3:00 12:1', '1001'],
  ['12:1 1:0 3:11', '0111'],
])('results with their places, %s, are read as %s', (placed, results) => {
  expect(inOrder(placed)).toBe(results);
});

import { expect, test } from 'vitest';
import { isKnownNotToList } from './listed-tools.ts';

const servers = [
  { name: 'Depot', tools: new Set(['stock']) },
  { name: 'Silent', tools: undefined },
];

test.each([
  ['stok', 'Depot', true],
  ['stock', 'Depot', false],
  ['stok', 'Silent', false],
  ['stok', 'Named otherwise here', false],
])('%s of %s: known not to be listed %s', (toolName, serverName, expected) => {
  expect(isKnownNotToList({ toolName, serverName }, servers)).toBe(expected);
  expect(isKnownNotToList({ toolName, serverName }, undefined)).toBe(false);
});

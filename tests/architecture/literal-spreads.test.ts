import { expect, test } from 'vitest';
import { checkLiteralSpreads } from './check-literal-spreads.ts';
import { repositoryRoot } from './repository-root.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test('no source of the repository spreads an object literal', () => {
  expect(checkLiteralSpreads(repositoryRoot)).toEqual([]);
});

// The spread is joined at run time, so that this file itself contains no such spread.
test.each([['{ b: 1 }'], ['({ b: 1 } as const)']])('%s is refused', (spread) => {
  const file = 'packages/domain/src/a.ts';
  const text = `const a = { ..${'.'}${spread} };`;
  expect(inTemporaryTree({ [file]: text }, checkLiteralSpreads)).toEqual([
    `${file}:1 spreads an object literal; write its properties`,
  ]);
});

test('a condition may be spread', () => {
  const text = 'const a = { ...(b && { c: 1 }) };';
  expect(inTemporaryTree({ 'packages/domain/src/a.ts': text }, checkLiteralSpreads)).toEqual([]);
});

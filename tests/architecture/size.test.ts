import { expect, test } from 'vitest';
import { checkSize } from './check-size.ts';
import { repositoryRoot } from './repository-root.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test('the files of the repository are short', () => {
  expect(checkSize(repositoryRoot)).toEqual([]);
});

test('a file over 400 lines is refused, one of 400 is not', () => {
  const small = filesOfLines(Array(30).fill(10));
  expect(inTemporaryTree({ ...small, 'scripts/big.mjs': lines(400) }, checkSize)).toEqual([]);
  expect(inTemporaryTree({ ...small, 'scripts/big.mjs': lines(401) }, checkSize)).toEqual([
    'scripts/big.mjs has 401 lines; the most is 400',
  ]);
});

test('a median of 90 lines is refused, one of 89 is not', () => {
  expect(inTemporaryTree(filesOfLines([1, 89, 200]), checkSize)).toEqual([]);
  expect(inTemporaryTree(filesOfLines([1, 90, 200]), checkSize)).toEqual([
    'the median file has 90 lines',
  ]);
});

test('a 95th percentile of 260 lines is refused, one of 259 is not', () => {
  const small = Array(18).fill(10);
  expect(inTemporaryTree(filesOfLines([...small, 259, 399]), checkSize)).toEqual([]);
  expect(inTemporaryTree(filesOfLines([...small, 260, 399]), checkSize)).toEqual([
    'the 95th percentile of all files is 260 lines',
  ]);
});

test('what is installed or built does not count', () => {
  const files = { 'node_modules/a/b.js': lines(900), 'packages/cli/dist/main.js': lines(900) };
  expect(inTemporaryTree(files, checkSize)).toEqual([]);
});

function filesOfLines(sizes: number[]): Record<string, string> {
  return Object.fromEntries(
    sizes.map((size, n) => [`packages/domain/src/file-${n}.ts`, lines(size)]),
  );
}

function lines(count: number): string {
  return '// line\n'.repeat(count);
}

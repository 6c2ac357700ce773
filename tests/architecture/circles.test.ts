import { expect, test } from 'vitest';
import { checkCircles } from './check-circles.ts';
import { repositoryRoot } from './repository-root.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test('no files of the repository import each other by value', () => {
  expect(checkCircles(repositoryRoot)).toEqual([]);
});

test.each([
  ['two files', { 'a.ts': "import { b } from './b.ts';", 'b.ts': "export * from './a.ts';" }],
  [
    'a longer way round',
    {
      'a.ts': "import { type A, b } from './b.ts';",
      'b.ts': "import './deep/c.ts';",
      'deep/c.ts': "import { a } from '../a.ts';",
    },
  ],
  ['a file and itself', { 'a.ts': "import { a } from './a.ts';" }],
])('%s are refused', (_name, files) => {
  expect(inTemporaryTree(files, checkCircles)).toHaveLength(1);
});

test.each([
  ['a type', "import type { A } from './a.ts';"],
  ['named types', "import { type A, type B } from './a.ts';"],
  ['types handed on', "export type { A } from './a.ts';"],
  ['what is loaded when needed', "const a = await import('./a.ts');"],
])('%s may be imported back', (_name, text) => {
  const files = { 'a.ts': "import { b } from './b.ts';", 'b.ts': text };
  expect(inTemporaryTree(files, checkCircles)).toEqual([]);
});

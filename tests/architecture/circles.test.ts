// The test of the direction of imports also checks the repository for circles, because it already
// parses every file.
import { expect, test } from 'vitest';
import { checkCircles } from './check-circles.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test.each([
  ['two files', { 'a.ts': "import { b } from './b.ts';", 'b.ts': "export * from './a.ts';" }],
  [
    'three files',
    {
      'a.ts': "import { type A, b } from './b.ts';",
      'b.ts': "import './deep/c.ts';",
      'deep/c.ts': "import { a } from '../a.ts';",
    },
  ],
  ['a file and itself', { 'a.ts': "import { a } from './a.ts';" }],
  [
    'two files, one by type',
    { 'a.ts': "import { b } from './b.ts';", 'b.ts': "import type { A } from './a.ts';" },
  ],
  [
    'two files by named types',
    { 'a.ts': "import { type B } from './b.ts';", 'b.ts': "import { type A } from './a.ts';" },
  ],
  [
    'two files, one handing types on',
    { 'a.ts': "import { b } from './b.ts';", 'b.ts': "export type { A } from './a.ts';" },
  ],
])('%s are refused', (_name, files) => {
  expect(inTemporaryTree(files, checkCircles)).toHaveLength(1);
});

test('what is loaded when needed may import back', () => {
  const files = {
    'a.ts': "import { b } from './b.ts';",
    'b.ts': "const a = await import('./a.ts');",
  };
  expect(inTemporaryTree(files, checkCircles)).toEqual([]);
});

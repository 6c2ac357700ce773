import { expect, test } from 'vitest';
import { checkExportedNames } from './check-exported-names.ts';
import { repositoryRoot } from './repository-root.ts';
import { inTemporaryTree } from './temporary-tree.ts';

test('no two things of the repository share an exported name', () => {
  expect(checkExportedNames(repositoryRoot)).toEqual([]);
});

const server = 'packages/server/src';
const shape = { 'packages/contract/src/a.ts': 'export const Client = z.object({});' };

test.each([
  [
    'two values of one package',
    {
      [`${server}/storage/a.ts`]: 'export function findRun() {}',
      [`${server}/actions/b.ts`]: 'export const findRun = 1;',
    },
  ],
  [
    'a type and a value of one package',
    {
      'packages/domain/src/a.ts': 'export type Turn = 1;',
      'packages/domain/src/b.ts': 'export class Turn {}',
    },
  ],
  [
    'two components of the console',
    {
      'packages/console/src/parts/a.tsx': 'export function Sections() { return <p>a</p>; }',
      'packages/console/src/parts/b/a.tsx': 'export function Sections() { return <p>b</p>; }',
    },
  ],
  ['a record and a shape', { ...shape, [`${server}/storage/a.ts`]: 'export interface Client {}' }],
])('%s may not share a name', (_name, files) => {
  expect(inTemporaryTree(files, checkExportedNames)).toHaveLength(1);
});

test.each([
  [
    'a value and its type in one file',
    { 'packages/domain/src/a.ts': 'export const Step = 1;\nexport type Step = typeof Step;' },
  ],
  [
    'an action and the row of its operation',
    {
      'packages/contract/src/operations.ts': 'export const getMe = 1;',
      [`${server}/actions/get-me.ts`]: 'export const getMe = 1;',
    },
  ],
  [
    'what is not exported',
    {
      'packages/domain/src/a.ts': 'export const one = 1;',
      'packages/domain/src/b.ts': 'const one = 1;',
    },
  ],
  [
    'a test',
    {
      'packages/domain/src/a.ts': 'export const one = 1;',
      'packages/domain/src/a.test.ts': 'export const one = 1;',
    },
  ],
])('%s may', (_name, files) => {
  expect(inTemporaryTree(files, checkExportedNames)).toEqual([]);
});

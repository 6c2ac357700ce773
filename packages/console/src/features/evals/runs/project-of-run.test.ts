import { expect, test } from 'vitest';
import { projectOfRun } from './project-of-run.ts';

const projects = [{ id: 'one' }, { id: 'two' }, { id: 'three' }];

async function find(named: string | undefined, holder: string) {
  const asked: string[] = [];
  const found = await projectOfRun(projects, named, async (id) => {
    asked.push(id);
    return id === holder;
  });
  return [found, ...asked];
}

test.each([
  ['a named project is taken at its word', 'three', 'two', ['three']],
  ['without a name they are asked until it is found', undefined, 'two', ['two', 'one', 'two']],
  ['a name they do not see is no name', 'other', 'one', ['one', 'one']],
  ['a run of nobody they see is not found', undefined, 'gone', [null, 'one', 'two', 'three']],
])('%s', async (_title, named, holder, expected) => {
  expect(await find(named, holder)).toEqual(expected);
});

import { expect, test } from 'vitest';
import { projectOfPath } from './project-of-path.ts';

test('a page of a project knows its project', () => {
  expect(projectOfPath('/projects/prj_1/servers/srv_1')).toBe('prj_1');
  expect(projectOfPath('/projects/new')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { writtenCase } from './written-case.ts';

const run = { projectId: 'prj_1', suiteId: 'ste_1', source: 'ui' } as const;

test('a trial leads to its case, unless it has none or was reported', () => {
  expect(writtenCase(run, 'cas_1')).toEqual({
    projectId: 'prj_1',
    suiteId: 'ste_1',
    caseId: 'cas_1',
  });
  expect(writtenCase({ ...run, source: 'api' }, 'cas_1')?.caseId).toBe('cas_1');
  expect(writtenCase(run, null)).toBeUndefined();
  expect(writtenCase(run, undefined)).toBeUndefined();
  expect(writtenCase({ ...run, source: 'sdk' }, 'cas_1')).toBeUndefined();
});

import { hashKey, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { allBelow, keyOf, listsOf } from './address-key.ts';

const suite = { projectId: 'p', suiteId: 's' };

test('an answer is kept under the address it is read at, with its query last', () => {
  expect(keyOf('getEvalCase', { ...suite, caseId: 'c' })).toEqual([
    ...['projects', 'p', 'eval-suites', 's', 'cases', 'c'],
    {},
  ]);
  expect(keyOf('getOrganizationSpending', { organizationId: 'o', day: '2026-01-02' })).toEqual([
    ...['organizations', 'o', 'spending'],
    { day: '2026-01-02' },
  ]);
});

test('two queries are two answers, and one that is not given is none', () => {
  const at = (day?: string) =>
    hashKey(keyOf('getOrganizationSpending', { organizationId: 'o', day }));
  expect(at('2026-01-02')).not.toBe(at('2026-01-03'));
  expect(at(undefined)).toBe(hashKey(keyOf('getOrganizationSpending', { organizationId: 'o' })));
});

test('what sends a change again without doing it twice is no part of an address', () => {
  const key = keyOf('createPersona', { projectId: 'p', idempotencyKey: 'k' });
  expect(key).toEqual(['projects', 'p', 'personas', {}]);
});

const kept = {
  projects: keyOf('listProjects'),
  suites: keyOf('listEvalSuites', { projectId: 'p' }),
  suite: keyOf('getEvalSuite', suite),
  runs: [...keyOf('listEvalSuiteRuns', { ...suite, limit: 20 }), 'pages'],
  otherSuite: keyOf('getEvalSuite', { ...suite, suiteId: 'other' }),
  otherProject: keyOf('listEvalSuites', { projectId: 'other' }),
  run: keyOf('getEvalRun', { projectId: 'p', runId: 'r' }),
};

test.each([
  ['the lists of its resource', listsOf('updateEvalSuite', { ...suite, body: {} }), ['suites']],
  [
    'all below a list',
    allBelow('listEvalSuites', { projectId: 'p' }),
    ['suites', 'suite', 'runs', 'otherSuite'],
  ],
  ['all below one of it', allBelow('getEvalSuite', suite), ['suite', 'runs']],
  ['a list with every query', keyOf('listEvalSuiteRuns', suite), ['runs']],
  ['the projects, not what is in them', listsOf('deleteProject', { projectId: 'p' }), ['projects']],
])('a key finds %s and nothing else', (_name, queryKey, found) => {
  const cache = new QueryClient();
  for (const [name, key] of Object.entries(kept)) cache.setQueryData(key, name);
  const names = cache.getQueriesData({ queryKey }).map(([, name]) => name);
  expect(names.sort()).toEqual([...found].sort());
});

import { expect, test } from 'vitest';
import { pullRequestReport } from './pull-request-report.ts';
import { readCiResults } from './read-ci-results.ts';
import { readConformance } from './read-conformance.ts';

const at = '-2026-11-19T20-33-57-518Z';
const failure = { id: 'ping-answered', status: 'FAILURE', errorMessage: 'No answer.' };
const files = [
  { folder: `server-tools-list${at}`, checks: [{ id: 'lists', status: 'SUCCESS' }] },
  { folder: `server-ping${at}`, checks: [failure] },
  { folder: `server-prompts-list${at}`, checks: [{ ...failure, id: 'prompts' }] },
  { folder: `server-logging${at}`, checks: [{ id: 'logs', status: 'SUCCESS' }] },
  { folder: 'unreadable', checks: undefined },
];
const baseline = { server: ['prompts-list', 'logging'] };
const tested = { headline: 'PASSED: 1 of 1 cases', exitCode: 0, suites: [] };

test('an unexpected failure and a stale expectation fail the job, an expected failure does not', () => {
  const conformance = readConformance(files, baseline);
  expect(conformance.map(({ name }) => name)).toEqual([
    ...['logging', 'ping', 'prompts-list', 'tools-list'],
  ]);
  const results = readCiResults({ test: tested, conformance }, { exitCode: 1 });
  expect(results.headline).toBe(
    'FAILED: 2 conformance scenarios not as expected; of the suites: PASSED: 1 of 1 cases',
  );
  const text = pullRequestReport(results);
  expect(text).toContain('#### Conformance: 2 of 4 scenarios passed');
  expect(text).toMatch(/ping.*ping-answered: No answer\./);
  expect(text).toMatch(/logging.*It passed, and the baseline expects it to fail\./);
  expect(text).toContain('- 1 failed as the baseline expects');
  expect(text).not.toMatch(/^- .*prompts-list/m);
});

test('a suite that wrote nothing gives no answer', () => {
  const results = readCiResults({ test: tested, conformance: [] }, { exitCode: 3 });
  expect(results.headline).toMatch(/^NO ANSWER: the conformance suite did not run;/);
  expect(pullRequestReport(results)).toContain('The conformance suite did not run.');
});

test('a suite that was not wanted is not in the report', () => {
  const results = readCiResults({ test: tested }, { exitCode: 0 });
  expect(pullRequestReport(results)).not.toContain('Conformance');
});

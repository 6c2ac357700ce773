import { expect, test } from 'vitest';
import { pullRequestReport } from './pull-request-report.ts';
import { readCiResults } from './read-ci-results.ts';
import { readConformance, redScenarios } from './read-conformance.ts';

const at = '-2026-11-19T20-33-57-518Z';
const failure = { id: 'ping-answered', status: 'FAILURE', errorMessage: 'No answer.' };
const files = [
  { folder: `server-tools-list${at}`, checks: [{ id: 'lists', status: 'SUCCESS' }] },
  { folder: `server-ping${at}`, checks: [failure] },
  { folder: `server-prompts-list${at}`, checks: [{ ...failure, id: 'prompts' }] },
  { folder: `server-logging${at}`, checks: [{ id: 'logs', status: 'SUCCESS' }] },
];
const baseline = { server: ['prompts-list', 'logging'] };
const tested = { headline: 'PASSED: 1 of 1 cases', exitCode: 0, suites: [] };

test('an unexpected failure and a stale expectation fail the job, an expected failure does not', () => {
  const scenarios = readConformance(files, baseline);
  const conformance = { scenarios, exitCode: 1 };
  expect(scenarios.map(({ name }) => name)).toEqual([
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
  const conformance = { scenarios: [], exitCode: 3 };
  const results = readCiResults({ test: tested, conformance }, { exitCode: 3 });
  expect(results.headline).toMatch(/^NO ANSWER: the conformance suite did not run;/);
  expect(pullRequestReport(results)).toContain('The conformance suite did not run.');
});

test('a suite that was not wanted is not in the report', () => {
  const results = readCiResults({ test: tested }, { exitCode: 0 });
  expect(pullRequestReport(results)).not.toContain('Conformance');
});

test('a scenario that the suite could not run has failed, and without any result there is no answer', () => {
  const unrun = [{ folder: `server-ping${at}`, checks: undefined }];
  const one = readConformance([...files.slice(0, 1), ...unrun], undefined);
  const partly = { scenarios: one, exitCode: 1 };
  const failed = readCiResults({ test: tested, conformance: partly }, { exitCode: 1 });
  expect(failed.headline).toMatch(/^FAILED: 1 conformance scenario not as expected;/);
  expect(pullRequestReport(failed)).toMatch(/ping.*The suite could not run this scenario\./);
  const none = { scenarios: readConformance(unrun, { server: ['ping'] }), exitCode: 3 };
  const unanswered = readCiResults({ test: tested, conformance: none }, { exitCode: 3 });
  expect(unanswered.headline).toMatch(/^NO ANSWER: the conformance suite did not run;/);
});

test('a warning fails a scenario only with a baseline, as in the suite', () => {
  const warned = [{ folder: `server-ping${at}`, checks: [{ id: 'slow', status: 'WARNING' }] }];
  expect(redScenarios(readConformance(warned, undefined))).toEqual([]);
  expect(redScenarios(readConformance(warned, {}))).toMatchObject([{ failed: ['slow'] }]);
  expect(redScenarios(readConformance(warned, { server: ['ping'] }))).toEqual([]);
});

test('lint is not blamed for a suite that ended with an error', () => {
  const scenarios = readConformance(files.slice(0, 1), undefined);
  const failed = { test: tested, conformance: { scenarios, exitCode: 1 } };
  expect(readCiResults(failed, { exitCode: 1 }).headline).toMatch(
    /^FAILED: the conformance suite ended with an error;/,
  );
  expect(pullRequestReport(readCiResults(failed, { exitCode: 1 }))).toContain('conformance.txt');
  const killed = { test: tested, conformance: { scenarios, exitCode: 3 } };
  expect(readCiResults(killed, { exitCode: 3 }).headline).toMatch(
    /^NO ANSWER: the conformance suite ended with an error;/,
  );
});

test('a replay says that it leaves the suite out', () => {
  const results = readCiResults({ test: tested, conformance: 'leftOut' }, { exitCode: 0 });
  expect(pullRequestReport(results)).toContain('a replay runs no server');
});

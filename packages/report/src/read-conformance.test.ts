import { expect, test } from 'vitest';
import { pullRequestReport } from './pull-request-report.ts';
import { readCiResults } from './read-ci-results.ts';
import { readConformance, redScenarios } from './read-conformance.ts';

const passed = { id: 'lists', status: 'SUCCESS' };
const failure = { id: 'ping-answered', status: 'FAILURE', message: 'No answer.' };
const printed = {
  spec: '2025-11-25',
  scenarios: [
    { scenario: 'tools-list', outcome: 'passed', checks: [passed] },
    { scenario: 'ping', outcome: 'failed', checks: [passed, failure], nextAction: 'Correct it.' },
    { scenario: 'prompts-list', outcome: 'expected', checks: [failure] },
    { scenario: 'logging', outcome: 'stale', checks: [passed], nextAction: 'Remove it.' },
    { scenario: 'tasks', outcome: 'notScored', checks: [failure] },
  ],
};
const unanswered = {
  scenarios: [
    { scenario: 'ping', outcome: 'skipped', checks: [], nextAction: 'Nothing listens there.' },
  ],
};
const tested = { headline: 'PASSED: 1 of 1 cases', exitCode: 0, suites: [] };

test('an unexpected failure and a stale expectation fail the job, an expected failure does not', () => {
  const scenarios = readConformance(printed);
  expect(redScenarios(scenarios).map(({ name }) => name)).toEqual(['ping', 'logging']);
  const conformance = { scenarios, exitCode: 1 };
  const results = readCiResults({ test: tested, conformance }, { exitCode: 1 });
  expect(results.headline).toBe(
    'FAILED: 2 conformance scenarios not as expected; of the suites: PASSED: 1 of 1 cases',
  );
  const text = pullRequestReport(results);
  expect(text).toContain('#### Conformance: 1 of 4 scenarios passed');
  expect(text).toMatch(/ping.*ping-answered: No answer\./);
  expect(text).toMatch(/logging.*It passed, and the baseline expects it to fail\./);
  expect(text).toContain('- 1 failed as the baseline expects');
  expect(text).toContain('- 1 scenario not scored by the revision');
  expect(text).not.toMatch(/^- .*prompts-list/m);
});

test('results of several revisions name theirs', () => {
  const both = [printed, { ...printed, spec: '2026-07-28' }];
  expect(readConformance(both).map(({ name }) => name)).toContain('2026-07-28 ping');
});

test('a command that printed nothing gives no answer', () => {
  const conformance = { scenarios: readConformance(undefined), exitCode: 3 };
  const results = readCiResults({ test: tested, conformance }, { exitCode: 3 });
  expect(results.headline).toMatch(/^NO ANSWER: the conformance suite did not run;/);
  expect(pullRequestReport(results)).toContain('The conformance suite did not run');
});

test('without any answer the report says why', () => {
  const conformance = { scenarios: readConformance(unanswered), exitCode: 3 };
  const results = readCiResults({ test: tested, conformance }, { exitCode: 3 });
  expect(results.headline).toMatch(/^NO ANSWER: the conformance suite did not run;/);
  expect(pullRequestReport(results)).toContain('Nothing listens there.');
});

test('a scenario without an answer beside others is counted', () => {
  const scenarios = [...readConformance(printed), ...readConformance(unanswered)];
  const text = pullRequestReport(
    readCiResults({ test: tested, conformance: { scenarios, exitCode: 1 } }, { exitCode: 1 }),
  );
  expect(text).toContain('- 1 scenario got no answer');
});

test('a suite that was not wanted is not in the report', () => {
  const results = readCiResults({ test: tested }, { exitCode: 0 });
  expect(pullRequestReport(results)).not.toContain('Conformance');
});

test('lint is not blamed for a suite that ended with an error', () => {
  const scenarios = readConformance({ scenarios: printed.scenarios.slice(0, 1) });
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

import { expect, test } from 'vitest';
import {
  exitCodeOfConformance,
  type PlayedScenario,
  reportConformance,
} from './conformance-report.ts';
import type { ScenarioOutcome } from './scenario-outcome.ts';

const played = (outcome: ScenarioOutcome, unanswered?: string): PlayedScenario => ({
  scenario: outcome,
  outcome,
  checks: [],
  reasons: [],
  ...(unanswered !== undefined && { unanswered }),
});

test.each([
  [['passed', 'expected', 'notScored', 'skipped'], 0],
  [['passed', 'failed'], 1],
  [['passed', 'stale'], 1],
  [['skipped'], 3],
  [[], 3],
] as const)('%j exits with %i', (outcomes, code) => {
  expect(exitCodeOfConformance(outcomes.map((one) => played(one)))).toBe(code);
});

test('a scenario without an answer leaves no verdict, and a failure outweighs it', () => {
  const silent = played('skipped', 'The server refused the connection.');
  expect(exitCodeOfConformance([played('passed'), silent])).toBe(3);
  expect(exitCodeOfConformance([played('failed'), silent])).toBe(1);
});

test('the report counts the outcomes and says what to do', () => {
  const run = {
    suite: { name: 'suite', version: '1' },
    spec: '2025-11-25',
    note: null,
    runId: null,
  };
  const report = reportConformance(run, [played('failed'), played('passed')]);
  expect(report.counts).toEqual({
    passed: 1,
    failed: 1,
    expected: 0,
    stale: 0,
    notScored: 0,
    skipped: 0,
  });
  expect(report.scenarios.map(({ nextAction }) => nextAction)).toEqual([
    expect.stringContaining('Correct in the server'),
    undefined,
  ]);
});

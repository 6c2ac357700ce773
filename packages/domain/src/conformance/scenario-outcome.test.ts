import { expect, test } from 'vitest';
import {
  type CheckStatus,
  decideScenario,
  readChecks,
  type ScenarioRules,
} from './scenario-outcome.ts';

const rules: ScenarioRules = { scenario: 'ping', isScored: true, hasBaseline: false };
const check = (id: string, status: CheckStatus, message?: string) => ({
  id,
  status,
  ...(message !== undefined && { message }),
});
const good = check('one', 'SUCCESS');
const bad = check('two', 'FAILURE', 'No answer.');

/** The rules of the suite: what decides, row by row. */
test.each([
  ['every check passed', [good], {}, 'passed'],
  ['a check failed', [good, bad], {}, 'failed'],
  ['a warning without a baseline', [good, check('w', 'WARNING')], {}, 'passed'],
  ['a warning with a baseline', [good, check('w', 'WARNING')], { hasBaseline: true }, 'failed'],
  ['every check was skipped', [check('s', 'SKIPPED')], {}, 'skipped'],
  ['nothing was checked', [check('i', 'INFO')], {}, 'skipped'],
  ['an expected scenario fails', [good, bad], { expected: 'whole' }, 'expected'],
  ['an expected scenario passes', [good], { expected: 'whole' }, 'stale'],
  ['an expected scenario is skipped', [check('s', 'SKIPPED')], { expected: 'whole' }, 'skipped'],
  ['an expected check fails', [good, bad], { expected: ['two'] }, 'expected'],
  ['an expected check passes', [good], { expected: ['one'] }, 'stale'],
  ['an expected check is absent', [good], { expected: ['three'] }, 'passed'],
  ['an expected check is skipped', [good, check('s', 'SKIPPED')], { expected: ['s'] }, 'passed'],
  ['another check fails', [good, bad], { expected: ['three'] }, 'failed'],
  ['another check fails beside a stale entry', [good, bad], { expected: ['one'] }, 'failed'],
  ['a scenario that is not scored fails', [bad], { isScored: false }, 'notScored'],
  ['it is not scored and expected', [good], { isScored: false, expected: 'whole' }, 'notScored'],
] as const)('%s', (_, checks, given, outcome) => {
  const hasBaseline = 'expected' in given || rules.hasBaseline;
  expect(decideScenario(checks, { ...rules, hasBaseline, ...given }).outcome).toBe(outcome);
});

test('the reasons name the checks with their messages', () => {
  expect(decideScenario([good, bad], rules).reasons).toEqual(['two: No answer.']);
  const stale = decideScenario([good], { ...rules, hasBaseline: true, expected: ['one'] });
  expect(stale.reasons).toEqual([
    'ping:one: it is expected to fail and it passed; remove the entry.',
  ]);
});

test('a check that is repeated counts as its worst result', () => {
  const again = [check('one', 'FAILURE'), good];
  expect(decideScenario(again, rules).outcome).toBe('failed');
  const expected = { ...rules, hasBaseline: true, expected: ['one'] };
  expect(decideScenario(again, expected).outcome).toBe('expected');
});

test('an invalid message of the suite itself is no failure of the server', () => {
  const own = check('wire-schema-harness-error', 'FAILURE');
  expect(decideScenario([good, own], rules).outcome).toBe('passed');
});

test('a result of another shape is not read', () => {
  expect(readChecks({})).toBeUndefined();
  expect(readChecks([{ id: 'one', status: 'GREAT' }])).toBeUndefined();
  expect(readChecks([{ id: 'one', status: 'FAILURE', errorMessage: 'x'.repeat(9000) }])).toEqual([
    { id: 'one', status: 'FAILURE', message: 'x'.repeat(2000) },
  ]);
});

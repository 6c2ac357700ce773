import { describe, expect, test } from 'vitest';
import { checkName, failedChecks, readChecks } from './read-checks.ts';

describe('a trial', () => {
  const row = { scorerVersion: '1', definitionHash: 'h', passThreshold: 1, deterministic: true };
  const scored = (scorerId: string, passed: boolean, rationale: string) =>
    ({ ...row, scorerId, status: 'scored', value: passed ? 1 : 0, passed, rationale }) as const;

  test('names the checks that failed it, of the whole case too, and none that only advises', () => {
    const trial = {
      expectedToolCalls: [{ toolName: 'add' }],
      scores: [
        scored('legacy:test', false, 'A gating check failed.'),
        scored('tool-match', true, ''),
        scored('predicate:responseContains#1', false, 'It does not say zebra.'),
        scored('predicate:turnCountUnder#2', false, 'Too many turns.'),
        { ...row, scorerId: 'mine', status: 'error', error: 'It broke.' } as const,
      ],
      evaluationConfig: {
        definitions: [{ scorerId: 'predicate:turnCountUnder#2', role: 'advisory' }, null],
      },
    };
    expect(failedChecks(trial)).toEqual(['It does not say zebra.']);
    expect(readChecks(trial).map(({ name, outcome }) => [name, outcome])).toEqual([
      ['Calls match those expected', 'held'],
      ['The last answer contains a text', 'did not hold'],
      ['Fewer turns than a number', 'advises only'],
      ['mine', 'broke'],
    ]);
    expect(readChecks({ ...trial, expectedToolCalls: [] })).toHaveLength(3);
    const first = scored('predicate:firstToolWas#1', false, 'The first tool called was "sub".');
    const chosenWrongly = { ...trial, scores: [scored('tool-match', true, ''), first] };
    expect(readChecks(chosenWrongly).map(({ name }) => name)).toEqual([
      'The first call is of a tool',
    ]);
    const forbidden = scored('predicate:toolNeverCalled#1', false, '"sub" was called once.');
    const madeToo = { ...trial, scores: [scored('tool-match', true, ''), forbidden] };
    expect(readChecks(madeToo).map(({ name }) => name)).toEqual(['A tool is never called']);
    expect(failedChecks({})).toEqual([]);
  });
});

test('an own scorer is told with its score and the line it has to reach', () => {
  const scorer = { scorerId: 'predicate:scorer#2', status: 'scored', passThreshold: 0.5 } as const;
  const scores = [
    { ...scorer, value: 0.9, passed: true, rationale: 'Polite.' },
    { ...scorer, value: 0.4, passed: false },
  ];
  expect(readChecks({ scores }).map(({ explanation }) => explanation)).toEqual([
    'It scores 0.9, at or above 0.5: Polite.',
    'It scores 0.4, below 0.5.',
  ]);
});

test.each([
  ['predicate:noToolErrors#1', 'No tool fails'],
  ['predicate:goalCompleted/Tone/of voice#3', 'A judge finds the goal met: Tone/of voice'],
  ['predicate:kindOfAReporter#1', 'kindOfAReporter'],
  ['predicate:toString#1', 'toString'],
  ['legacy:test', 'The whole trial'],
  ['mine', 'mine'],
])('%s is shown as %s', (scorerId, name) => {
  expect(checkName(scorerId)).toBe(name);
});

test('a trial that only a step failed has a check that did not hold', () => {
  const whole = { scorerId: 'legacy:test', status: 'scored', passed: false } as const;
  const held = { scorerId: 'predicate:noToolErrors#1', status: 'scored', passed: true } as const;
  const trial = { scores: [{ ...whole, rationale: 'A step failed.' }, held] };
  expect(readChecks(trial)).toMatchObject([
    { name: 'Every step succeeds', outcome: 'did not hold', explanation: 'A step failed.' },
    { name: 'No tool fails', outcome: 'held' },
  ]);
  expect(failedChecks(trial)).toEqual([]);
});

test('a trial that ended with an error is not called one with a failed step', () => {
  const whole = { scorerId: 'legacy:test', status: 'scored', passed: false } as const;
  for (const rationale of ['The trial ended with an error.', undefined]) {
    const trial = { scores: [{ ...whole, rationale }] };
    expect(readChecks(trial)).toMatchObject([{ name: 'The whole trial', outcome: 'did not hold' }]);
    expect(failedChecks(trial)).toEqual([]);
  }
});

test('a reported check with the name of one of ours is reported', () => {
  const reported = (scorerId: string) => ({ scorerId, status: 'scored', passed: false }) as const;
  const names = ['Calls match those expected', 'Every step succeeds'];
  expect(failedChecks({ scores: names.map(reported) })).toEqual(names);
});

import { brokenRuleIn, brokenRuleSentence, trialVerdict } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { failedChecks, readChecks } from '../read-checks.ts';

const failing = { toolName: 'opening_hours', kind: 'content-error' } as const;

test.each([
  [[failing], 'No tool may fail: opening_hours returned an error.'],
  [[failing, failing], 'No tool may fail: opening_hours returned an error.'],
  [
    [{ toolName: 'order', kind: 'protocol-error' }, failing],
    'No tool may fail: a call of order got no result, opening_hours returned an error.',
  ],
  [
    [{ ...failing, resultProblem: '/hours is missing' }],
    'No tool may fail: opening_hours returned a result that breaks its own output schema.',
  ],
  [
    ['a', 'b', 'c', 'd', 'e'].map((toolName) => ({ ...failing, toolName })),
    'No tool may fail: a returned an error, b returned an error, c returned an error and 2 more.',
  ],
] as const)('%j is told as %s', (errors, sentence) => {
  expect(brokenRuleSentence(errors)).toBe(sentence);
  expect(brokenRuleIn(`The tool calls do not match. ${sentence}`)).toBe(sentence);
});

const evidence = {
  toolCallsMatch: true,
  hasTrialError: false,
  hasToolError: true,
  hasPinnedToolError: false,
  hasFailedStep: false,
  toolErrors: [failing],
  turnAssertions: [],
  caseAssertions: [
    { predicate: { type: 'toolCalledAtLeastOnce' }, passed: true, reason: 'It was.' },
  ],
};

test('a rule is broken only by errors that count', () => {
  expect(trialVerdict(evidence)).toMatchObject({
    failures: ['toolError'],
    brokenRule: 'No tool may fail: opening_hours returned an error.',
  });
  expect(trialVerdict({ ...evidence, failOnToolError: false })).not.toHaveProperty('brokenRule');
});

test('beside assertions that hold, it is the check that failed', () => {
  const brokenRule = 'No tool may fail: opening_hours returned an error.';
  const held = {
    scorerId: 'predicate:toolCalledAtLeastOnce#1',
    status: 'scored',
    passed: true,
  } as const;
  const whole = {
    scorerId: 'legacy:test',
    status: 'scored',
    passed: false,
    rationale: brokenRule,
  } as const;
  const trial = { scores: [whole, { ...held, rationale: 'It was.' }] };
  expect(failedChecks(trial)).toEqual([brokenRule]);
  expect(readChecks(trial).map(({ name, outcome }) => [name, outcome])).toEqual([
    ['No tool may fail', 'did not hold'],
    ['A tool is called', 'held'],
  ]);
});

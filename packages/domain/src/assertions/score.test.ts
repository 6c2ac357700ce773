import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gatingOutcome, type StatedScorer } from './gating-scores.ts';
import { assertionScorerId, Score, type ScorerOutput, settleScore } from './score.ts';

const output: ScorerOutput = {
  scorerId: 'tool-match',
  scorerVersion: '1',
  definitionHash: 'h1',
  status: 'scored',
  value: 0.5,
  passThreshold: 0.5,
  deterministic: true,
};

describe('a score', () => {
  test('passes by its value alone, equality included; the scorer is not asked', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (value, passThreshold, passed) => {
          const score = settleScore({ ...output, value, passThreshold, passed });
          expect(score).toMatchObject({ status: 'scored', value, passed: value >= passThreshold });
          expect(Score.safeParse(score).success).toBe(true);
        },
      ),
    );
  });

  test.each([
    [1.01],
    [-0.01],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['1'],
    [null],
    [undefined],
  ])('of %s is an error, never bent to fit', (value) => {
    const score = settleScore({ ...output, value, passed: true });
    expect(score.status).toBe('error');
    expect(score).not.toHaveProperty('value');
    expect(score).not.toHaveProperty('passed');
  });

  test('without a value keeps its status and has no pass', () => {
    for (const status of ['error', 'skipped', 'not_applicable'] as const) {
      const score = settleScore({ ...output, status, passed: true });
      expect(score).toMatchObject({ status });
      expect(score).not.toHaveProperty('passed');
    }
  });

  test('is a closed, bounded row', () => {
    const row = settleScore(output);
    const broken = [
      { extra: 1 },
      { rationale: 'x'.repeat(2001) },
      { evidence: Array(21).fill('x') },
      { evidence: ['x'.repeat(301)] },
      { error: 'x'.repeat(501) },
      { passThreshold: 80 },
    ];
    for (const more of broken) expect(Score.safeParse({ ...row, ...more }).success).toBe(false);
  });
});

test('the id of an assertion scorer holds the position of the assertion', () => {
  expect(assertionScorerId('noToolErrors', 2)).toBe('predicate:noToolErrors#2');
});

describe('gating scores', () => {
  const gating: StatedScorer = { scorerId: 'tool-match', role: 'gating' };
  const other = { ...gating, scorerId: 'other' };
  const good = settleScore({ ...output, value: 1 });
  const bad = settleScore({ ...output, value: 0 });
  const broken = settleScore({ ...output, status: 'error' });
  const skipped = settleScore({ ...output, status: 'skipped' });
  const away = settleScore({ ...output, status: 'not_applicable' });

  test.each([
    ['all good', [gating], [good], 'passed'],
    ['one failed', [gating], [good, bad], 'failed'],
    ['broken', [gating], [broken], 'evaluatorError'],
    ['broken, ignored', [{ ...gating, onError: 'ignore' }], [broken], 'passed'],
    ['skipped', [gating], [skipped], 'evaluatorError'],
    ['skipped, ignored', [{ ...gating, onSkipped: 'ignore' }], [skipped], 'passed'],
    ['a failure is never ignored', [{ ...gating, onError: 'ignore' }], [bad], 'failed'],
    ['a failure is not hidden', [gating, other], [bad], 'failed'],
    ['does not apply', [gating], [away], 'passed'],
    ['no row for a gating scorer', [gating], [], 'evaluatorError'],
    ['no row for an advisory one', [{ ...gating, role: 'advisory' }], [], 'passed'],
    ['advisory failed', [{ ...gating, role: 'advisory' }], [bad, broken], 'passed'],
    ['a role nobody knows', [{ ...gating, role: 'blocking' }], [good], 'evaluatorError'],
    ['no role', [{ scorerId: 'tool-match' }], [good], 'evaluatorError'],
    ['a row of nobody', [gating], [good, { ...good, scorerId: 'odd' }], 'evaluatorError'],
  ] as const)('%s', (_, definitions, scores, outcome) => {
    expect(gatingOutcome(definitions, scores)).toBe(outcome);
  });
});

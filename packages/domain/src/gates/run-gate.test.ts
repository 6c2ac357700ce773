import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BaselineAtGate, gateRun, type RunAtGate } from './run-gate.ts';

const ended = (passed: number, total: number, failed = total - passed): RunAtGate => ({
  status: 'completed',
  summary: { total, passed, failed },
});
const baseline = (
  [passed, total]: readonly [number, number],
  now = total,
  more: Partial<BaselineAtGate> = {},
): BaselineAtGate => ({
  run: ended(passed, total),
  runNumber: 7,
  evaluationConfigChanged: false,
  cases: [
    {
      title: 'Weather',
      status: 'changed',
      configChanged: false,
      base: { passedTrials: passed, eligibleTrials: total },
      compare: { passedTrials: 0, eligibleTrials: now },
    },
  ],
  ...more,
});
const reasonOf = (gate: ReturnType<typeof gateRun>) => gate.gates.map(({ reason }) => reason);
const counts = fc
  .tuple(fc.nat(40), fc.integer({ min: 1, max: 40 }))
  .map(([passed, total]) => [Math.min(passed, total), total] as const);

describe('a least pass rate', () => {
  test.each([
    [9, 10, 0.9, 'passed'],
    [8, 10, 0.9, 'failed'],
    [0, 1, 0, 'passed'],
    [2, 3, 2 / 3, 'passed'],
  ])('%i of %i against %d: %s', (passed, total, minPassRate, outcome) => {
    expect(gateRun(ended(passed, total), { minPassRate }).outcome).toBe(outcome);
  });

  test('is an exact quotient, whatever the counts', () => {
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, noNaN: true }), ([c, n], minPassRate) => {
        const { outcome } = gateRun(ended(c, n), { minPassRate });
        expect(outcome).toBe(c / n >= minPassRate ? 'passed' : 'failed');
      }),
    );
  });

  test('says what was measured', () => {
    expect(reasonOf(gateRun(ended(8, 10), { minPassRate: 0.9 }))).toEqual([
      '8 of 10 trials passed (80 %); fewer than the 90 % that must pass.',
    ]);
  });

  test.each([
    ['a trial without a result', ended(9, 10, 0), '1 trial of 10 ended without a result.'],
    ['no trial', ended(0, 0), 'The run recorded no count of its trials.'],
    [
      'no counts',
      { status: 'completed', summary: null },
      'The run recorded no count of its trials.',
    ],
    [
      'trials that were declared and not reported',
      { ...ended(3, 3), verdictSummary: { validity: { holds: false } } },
      'Too little was measured for a verdict.',
    ],
    ['a cancelled run', { ...ended(5, 5), status: 'cancelled' }, 'The run is not completed.'],
  ])('has no answer for %s', (_, run, reason) => {
    const gate = gateRun(run, { minPassRate: 0 });
    expect(gate.outcome).toBe('incomplete');
    expect(reasonOf(gate)).toEqual([reason]);
  });
});

describe('a baseline', () => {
  const against = (now: readonly [number, number], before: readonly [number, number]) =>
    gateRun(ended(...now), { baseline: baseline(before, now[1]) });

  test.each([
    [[5, 10], [10, 10], 'failed', 'a drop outside the noise'],
    [[8, 10], [9, 10], 'passed', 'a drop within the noise'],
    [[10, 10], [9, 10], 'passed', 'no drop, 95 %'],
    [[0, 4], [4, 4], 'incomplete', 'too few trials to tell a drop from chance'],
    [[4, 4], [4, 4], 'passed', 'which is no drop; too few trials'],
  ] as const)('%j after %j: %s', (now, before, outcome, words) => {
    const gate = against(now, before);
    expect(gate.outcome).toBe(outcome);
    expect(reasonOf(gate).join()).toContain(words);
  });

  test('never fails a run that passed as often, and never one of fewer than five trials', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), fc.nat(40), (n, one, other) => {
        const [now, before] = [Math.min(one, n), Math.min(other, n)];
        const { outcome } = against([now, n], [before, n]);
        if (now >= before) expect(outcome).toBe('passed');
        if (n < 5) expect(outcome).not.toBe('failed');
      }),
    );
  });

  test.each([
    ['another case', { status: 'new_case' }, /differ in their cases/],
    ['a case that is gone', { status: 'removed_case' }, /differ in their cases/],
    ['a case that asks for something else', { configChanged: true }, /"Weather" has been changed/],
    ['a case run more often', { compare: { passedTrials: 0, eligibleTrials: 9 } }, /how often/],
  ] as const)('is not compared with %s', (_, change, reason) => {
    const base = baseline([10, 10]);
    const cases = base.cases.map((one) => ({ ...one, ...change }));
    const gate = gateRun(ended(0, 10), { baseline: { ...base, cases } });
    expect(gate.outcome).toBe('incomplete');
    expect(reasonOf(gate)[0]).toMatch(reason);
  });

  test('that was stopped, or scored otherwise, gives no answer', () => {
    const stopped = { ...ended(10, 10), status: 'timed_out' };
    const gateWith = (more: Partial<BaselineAtGate>) =>
      gateRun(ended(0, 10), { baseline: baseline([10, 10], 10, more) });
    expect(reasonOf(gateWith({ run: stopped }))).toEqual(['Of run 7: The run is not completed.']);
    expect(reasonOf(gateWith({ evaluationConfigChanged: true }))[0]).toMatch(/scored in different/);
  });
});

test('of several bounds one that fails counts before one without an answer', () => {
  const few = baseline([4, 4]);
  expect(gateRun(ended(0, 4), { minPassRate: 1, baseline: few }).outcome).toBe('failed');
  expect(gateRun(ended(0, 4), { minPassRate: 0, baseline: few }).outcome).toBe('incomplete');
  expect(gateRun(ended(4, 4), {}).outcome).toBe('incomplete');
});

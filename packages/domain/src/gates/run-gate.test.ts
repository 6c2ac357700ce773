import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairCases } from '../suites/pair-cases.ts';
import { type BaselineAtGate, gateRun, type RunAtGate } from './run-gate.ts';

const ended = (passed: number, total: number, failed = total - passed): RunAtGate => ({
  status: 'completed',
  summary: { total, passed, failed },
});
type Counts = readonly [passed: number, trials: number];
interface Side {
  readonly [caseKey: string]: Counts;
}
const graded = ([passed, trials]: Counts = [0, 0]) => ({
  passedTrials: passed,
  eligibleTrials: trials,
});
const total = (side: Side, of: 0 | 1) => Object.values(side).reduce((sum, one) => sum + one[of], 0);
const ran = (side: Side) => ended(total(side, 0), total(side, 1));
const trialsOf = (side: Side) =>
  Object.entries(side).map(([caseKey, [passed, trials]]) => ({
    caseKey,
    passed,
    failed: trials - passed,
  }));
const baseline = (before: Side, now: Side, more: Partial<BaselineAtGate> = {}): BaselineAtGate => ({
  run: ran(before),
  runNumber: 7,
  evaluationConfigChanged: false,
  cases: [...new Set([...Object.keys(now), ...Object.keys(before)])].map((caseKey) => ({
    caseKey,
    title: caseKey,
    status: 'changed',
    configChanged: false,
    base: graded(before[caseKey]),
    compare: graded(now[caseKey]),
  })),
  paired: pairCases(trialsOf(before), trialsOf(now)),
  ...more,
});
const times = (amount: number, passed: number, trials: number): Side =>
  Object.fromEntries(
    Array.from({ length: amount }, (_, at) => [`case ${at}`, [passed, trials] as const]),
  );
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
  const against = (now: Side, before: Side, isSameCases = false) =>
    gateRun(ran(now), { baseline: baseline(before, now), isSameCases });

  test.each([
    ['all cases dropped', times(6, 5, 10), times(6, 10, 10), 'failed', 'p = 0.031'],
    [
      'half of them',
      { ...times(20, 10, 10), ...times(10, 6, 10) },
      times(20, 10, 10),
      'failed',
      "by Student's t",
    ],
    [
      'one of them',
      { ...times(20, 10, 10), 'case 0': [9, 10] },
      times(20, 10, 10),
      'passed',
      'no difference beyond chance',
    ],
    ['none', times(6, 10, 10), times(6, 10, 10), 'passed', 'the pass rate is on average the same'],
    ['all rose', times(6, 10, 10), times(6, 5, 10), 'passed', 'a rise'],
    [
      'five cases',
      times(5, 0, 10),
      times(5, 10, 10),
      'incomplete',
      'A paired comparison needs 6 cases with graded trials in both runs; there are 5',
    ],
    ['five that rose', times(5, 9, 9), times(5, 0, 9), 'incomplete', 'A paired comparison needs 6'],
  ] as readonly [string, Side, Side, string, string][])('%s', (_, now, before, outcome, words) => {
    const gate = against(now, before);
    expect(gate.outcome).toBe(outcome);
    expect(reasonOf(gate).join()).toContain(words);
    expect(gate.gates[0]).toMatchObject({
      gate: 'noDropBelowBaseline',
      measured: gate.gates[0]?.paired?.difference,
    });
  });

  test('says what was compared, over how many trials, and at which level', () => {
    expect(reasonOf(against(times(6, 5, 10), times(6, 10, 10)))).toEqual([
      'Paired over 6 cases (60 trials; in run 7: 60), the pass rate is on average 50 percentage points lower; p = 0.031, two-sided, by an exact sign-flip test: a drop at the level of 5 %, not corrected for several comparisons.',
    ]);
  });

  test('names cases of one run only and leaves them out, and fails on them where asked to', () => {
    const before = { ...times(6, 10, 10), gone: [9, 9] } as const;
    const now = { ...times(6, 10, 10), new: [0, 9], never: [0, 0] } as const;
    const gate = against(now, before);
    expect(gate).toMatchObject({ outcome: 'passed', gates: [{ measured: 0 }] });
    expect(reasonOf(gate)[0]).toContain(
      'Left out, since only run 7 has it: "gone". Left out, since only this run has it: "new", "never".',
    );
    const strict = against(now, before, true);
    expect(strict.outcome).toBe('failed');
    expect(strict.gates[1]).toEqual({
      gate: 'sameCases',
      outcome: 'failed',
      bound: 0,
      measured: 3,
      reason:
        'The runs differ in their cases. Left out, since only run 7 has it: "gone". Left out, since only this run has it: "new", "never".',
    });
    const same = against(before, before, true);
    expect(same.outcome).toBe('passed');
    expect(reasonOf(same)[1]).toBe('Both runs have the same 7 cases.');
  });

  test('a run that is not completed has no answer about its cases', () => {
    const side = times(6, 1, 1);
    const asked = { baseline: baseline(side, { ...side, new: [1, 1] }), isSameCases: true };
    const gate = gateRun({ ...ran(side), status: 'cancelled' }, asked);
    expect(gate.outcome).toBe('incomplete');
    const none = { baseline: baseline({}, side, { run: ran(side) }), isSameCases: true };
    expect(gateRun(ran(side), none).gates).toMatchObject([
      { outcome: 'non_gateable', reason: 'One of the runs has no case to compare.' },
      { outcome: 'non_gateable' },
    ]);
  });

  const anySides = fc
    .array(fc.tuple(fc.nat(6), fc.nat(6), fc.integer({ min: 1, max: 6 })), {
      minLength: 1,
      maxLength: 24,
    })
    .map((rows) => {
      const side = (of: 0 | 1) =>
        Object.fromEntries(
          rows.map((row, at) => [`case ${at}`, [Math.min(row[of], row[2]), row[2]] as const]),
        );
      return { before: side(0), now: side(1) };
    });

  test('fails exactly for a drop with p of at most 5 %, and passes only from six cases on', () => {
    fc.assert(
      fc.property(anySides, ({ before, now }) => {
        const { outcome, gates } = against(now, before);
        const { difference, p, clusters } = gates[0]?.paired ?? {};
        const isDrop = (difference ?? 0) < 0 && (p ?? 1) <= 0.05 + 1e-9;
        const answer = isDrop ? 'failed' : 'passed';
        expect(outcome).toBe((clusters ?? 0) < 6 ? 'incomplete' : answer);
      }),
    );
  });

  test('answers the same for any order of the cases, and never fails both ways', () => {
    const turn = (side: Side) => Object.fromEntries(Object.entries(side).reverse());
    fc.assert(
      fc.property(anySides, ({ before, now }) => {
        const { outcome } = against(now, before);
        expect(against(turn(now), turn(before)).outcome).toBe(outcome);
        expect(against(now, turn(before)).outcome).toBe(outcome);
        if (outcome === 'failed') expect(against(before, now).outcome).toBe('passed');
      }),
    );
  });

  test('is not compared with a case that asks for something else', () => {
    const side = times(6, 1, 1);
    const base = baseline(side, side);
    const cases = base.cases.map((one) => ({ ...one, configChanged: one.title === 'case 3' }));
    const gate = gateRun(ran(side), { baseline: { ...base, cases } });
    expect(gate.outcome).toBe('incomplete');
    expect(reasonOf(gate)).toEqual([
      'The case "case 3" has been changed, so the rates cannot show a drop.',
    ]);
  });

  test('that was stopped, or scored otherwise, gives no answer', () => {
    const side = times(6, 10, 10);
    const stopped = { ...ran(side), status: 'timed_out' };
    const gateWith = (more: Partial<BaselineAtGate>) =>
      gateRun(ran(side), { baseline: baseline(side, side, more) });
    expect(reasonOf(gateWith({ run: stopped }))).toEqual([
      'Run 7 cannot be compared: The run is not completed.',
    ]);
    expect(reasonOf(gateWith({ evaluationConfigChanged: true }))[0]).toMatch(/scored in different/);
  });
});

test('of several bounds one that fails counts before one without an answer', () => {
  const few = times(2, 4, 4);
  const none = times(2, 0, 4);
  const bounds = (minPassRate: number) => ({ minPassRate, baseline: baseline(few, none) });
  expect(gateRun(ran(none), bounds(1)).outcome).toBe('failed');
  expect(gateRun(ran(none), bounds(0)).outcome).toBe('incomplete');
  expect(gateRun(ran(few), {}).outcome).toBe('incomplete');
});

import { describe, expect, it } from 'vitest';
import type { PlannedCase } from '../suites/planned-case.ts';
import { decideLaunchedRun, type LaunchedTrials } from './decide-launched-run.ts';
import { maxConfiguredTrials } from './decision.ts';
import { resolvePolicy } from './resolve-policy.ts';

const policyV2 = { policy: resolvePolicy({ minEligibleTrials: 1 }), passThreshold: 1 };
const half = { minimumPassRate: 50 };

describe('a decided launched run', () => {
  it('names its cases by the plan', () => {
    const cases = [
      planned('1', { declaredId: 'refund', title: 'Refund an order' }),
      planned('2', { title: 'Cancel' }),
    ];
    const end = decide([trials('1'), trials('2')], { cases });
    const derived = `k_${'2'.repeat(40)}`;
    expect(end.decision?.cases.map(({ caseId }) => caseId)).toEqual([derived, 'refund']);
    expect(end.caseTitles).toEqual({ [derived]: 'Cancel', refund: 'Refund an order' });
    expect(end).toMatchObject({ result: 'passed', counts: { total: 2, passed: 2, failed: 0 } });
  });

  it.each([
    [1, 'failed'],
    [0.76, 'failed'],
    [0.75, 'passed'],
    [0.5, 'passed'],
  ])(
    'judges a case by the threshold %s of its plan, not by that of the run',
    (passThreshold, result) => {
      for (const ofRun of [0, 1]) {
        const end = decide([trials('1', { count: 3 }), trials('1', { result: 'failed' })], {
          cases: [planned('1', { passThreshold })],
          terms: { ...policyV2, passThreshold: ofRun },
        });
        expect(end.result).toBe(result);
        expect(end.decision?.cases[0]?.effectivePassThreshold).toBe(passThreshold);
      }
    },
  );

  it('expects no trials beyond those that exist', () => {
    const cases = [planned('1', { variants: [{ repetitions: 9 }] })];
    const end = decide([trials('1', { count: 2 })], { cases });
    expect(end.decision?.cases[0]?.configuredTrials).toBe(2);
    expect(end).toMatchObject({ result: 'passed', counts: { total: 2, passed: 2, failed: 0 } });
  });

  it('counts a trial that did not finish', () => {
    const end = decide([trials('1'), trials('1', { status: 'cancelled', result: null, count: 2 })]);
    expect(end.decision?.cases[0]?.configuredTrials).toBe(3);
    expect(end.counts).toEqual({ total: 3, passed: 1, failed: 0 });
  });

  it('refuses a trial of a case that its plan does not have', () => {
    expect(() => decide([trials('1'), trials('2')])).toThrow(
      'Internal fault: the plan of the run has no case for one of its trials.',
    );
  });

  it('has no result without trials', () => {
    expect(decide([])).toEqual({
      counts: { total: 0, passed: 0, failed: 0 },
      result: null,
      integrityError: 'No iteration was reported.',
    });
  });
});

describe('a case at or above the limit of trials', () => {
  const tooMany = [trials('1', { count: maxConfiguredTrials + 1 })];
  const trialPlan = {} as never;
  it.each<[string, string, PlannedCase['variants'], boolean]>([
    ['without a trial plan', 'has a verdict but no decision', [{ repetitions: 1 }], false],
    ['without a variant', 'has a verdict but no decision', [], false],
    ['with a trial plan', 'has a decision', [{ repetitions: 1, trialPlan }], true],
    ['replayed from a trial plan', 'has a decision', [{ repetitions: 1, wasPlanned: true }], true],
    [
      'with a plan in one variant',
      'has a decision',
      [{ repetitions: 1 }, { repetitions: 1, trialPlan }],
      true,
    ],
  ])('%s %s', (_title, _outcome, variants, isDecided) => {
    const end = decide(tooMany, { cases: [planned('1', { variants })] });
    expect(end.decision !== undefined).toBe(isDecided);
    expect(end.isLegacy).toBe(isDecided ? undefined : true);
    expect(end.result).toBe('passed');
  });

  it('has a decision without a trial plan, if it is just at the limit', () => {
    const end = decide([trials('1', { count: maxConfiguredTrials })]);
    expect(end.decision?.cases[0]?.configuredTrials).toBe(maxConfiguredTrials);
  });
});

describe('the result', () => {
  const counts = { total: 2, passed: 1, failed: 1 };
  const mixed = [trials('1'), trials('1', { result: 'failed' })];
  it.each([
    ['a percent threshold that was met', half, true, 'passed'],
    ['a percent threshold that was missed', { minimumPassRate: 51 }, true, 'failed'],
    ['a percent threshold of a stopped run', half, false, null],
    ['a missed percent threshold of a stopped run', { minimumPassRate: 51 }, false, null],
    ['a policy', policyV2, true, 'failed'],
    ['a policy of a stopped run', policyV2, false, 'failed'],
  ])('by %s', (_title, terms, wasCompleted, result) => {
    const end = decide(mixed, { terms, wasCompleted });
    expect(end).toMatchObject({ counts, result });
    expect('decision' in end).toBe('policy' in terms);
  });
});

function planned(caseKey: string, change: Partial<PlannedCase> = {}): PlannedCase {
  return {
    caseId: `row-${caseKey}`,
    caseKey,
    title: '',
    steps: [],
    isNegative: false,
    matchOptions: {} as never,
    assertions: [],
    failOnToolError: false,
    passThreshold: 1,
    variants: [{ repetitions: 1 }],
    ...change,
  };
}

function trials(caseKey: string, change: Partial<LaunchedTrials> = {}): LaunchedTrials {
  return {
    caseId: `row-${caseKey}`,
    model: null,
    provider: null,
    status: 'completed',
    result: 'passed',
    evaluatorError: false,
    count: 1,
    ...change,
  };
}

function decide(
  of: readonly LaunchedTrials[],
  change: Partial<{
    readonly terms: typeof policyV2 | typeof half;
    readonly cases: PlannedCase[];
    readonly wasCompleted: boolean;
  }> = {},
) {
  const { terms = policyV2, cases = [planned('1')], wasCompleted = true } = change;
  return decideLaunchedRun({ terms, plan: { cases }, wasCompleted }, of, (key) => key.repeat(64));
}

import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaseTrials } from './case-tally.ts';
import type { Trial } from './classify-trial.ts';
import { decideRun } from './decide-run.ts';
import { Decision, type TrialStatus, trialStatuses, validityReasons } from './decision.ts';
import { resolvePolicy, type StatedValidity } from './resolve-policy.ts';

const met = 'allMeasuredCasesMetThreshold';
const below = 'casePassRateBelowThreshold';

const pass: Trial = { status: 'completed', taskVerdict: 'passed' };
const fail: Trial = { status: 'completed', taskVerdict: 'failed' };
const evaluatorError: Trial = { status: 'completed', evaluatorError: true };
const ended = (status: TrialStatus): Trial => ({ status });

describe('the worked numbers', () => {
  it.each<[string, CaseTrials[], StatedValidity, string, string[]]>([
    ['4 of 5 at 0.8', [row([...times(4, pass), fail], 0.8)], {}, 'passed', [met]],
    ['4 of 5 at 0.81', [row([...times(4, pass), fail], 0.81)], {}, 'failed', [below]],
    [
      '1 of 5 cancelled',
      [row([ended('cancelled'), ...times(4, pass)])],
      {},
      'inconclusive',
      ['configuredTrialsNotAttempted'],
    ],
    [
      '1 of 5 cancelled with a floor of 4',
      [row([ended('cancelled'), ...times(4, pass)])],
      { minEligibleTrials: 4 },
      'passed',
      [met],
    ],
    [
      '1 of 5 cancelled with a floor of 5',
      [row([ended('cancelled'), ...times(4, pass)])],
      { minEligibleTrials: 5 },
      'inconclusive',
      ['eligibleTrialsBelowMinimum'],
    ],
    ['1 evaluator error in 10', [row([evaluatorError, ...times(9, pass)])], {}, 'passed', [met]],
    [
      '2 evaluator errors in 10',
      [row([...times(2, evaluatorError), ...times(8, pass)])],
      {},
      'inconclusive',
      ['evaluatorErrorRateAboveMaximum'],
    ],
    [
      '2 of 5 timed out',
      [row([...times(2, ended('timed_out')), ...times(3, pass)])],
      {},
      'inconclusive',
      ['completionRateBelowMinimum'],
    ],
    [
      'one case of setup failures at threshold 0',
      [row(times(3, ended('setup_failed')), 0), row(times(3, pass), 1, 'other')],
      {},
      'inconclusive',
      ['completionRateBelowMinimum', 'caseHasNoEligibleTrials'],
    ],
    [
      'all pending',
      [row(times(3, ended('pending')))],
      {},
      'inconclusive',
      [
        'configuredTrialsNotAttempted',
        'noGradeableTrials',
        'completionRateNotMeasured',
        'evaluatorErrorRateNotMeasured',
        'caseHasNoEligibleTrials',
      ],
    ],
  ])('%s', (_title, cases, stated, verdict, reasons) => {
    expect(decide(cases, stated)).toMatchObject({ verdict, reasons });
  });

  it('4 of 5 has pass rate 0.8, stability 0.8 and a mixed verdict', () => {
    const [only] = decide([row([...times(4, pass), fail], 0.8)]).cases;
    const measured = {
      state: 'measured',
      value: 0.8,
      numerator: 4,
      denominator: 5,
      exclusions: {},
    };
    expect(only).toMatchObject({
      passRate: measured,
      observedStability: measured,
      mixedVerdict: true,
      verdict: 'passed',
      reason: 'casePassRateMetThreshold',
    });
  });

  it('one cancelled of five completes 4 of 4', () => {
    const { validity } = decide([row([ended('cancelled'), ...times(4, pass)])]);
    const exclusions = { cancelled: 1 };
    expect(validity).toMatchObject({
      configuredTrials: 5,
      attemptedTrials: 4,
      eligibleTrials: 4,
      completionRate: { value: 1, numerator: 4, denominator: 4, exclusions },
      evaluatorErrorRate: { value: 0, numerator: 0, denominator: 4, exclusions },
    });
  });
});

describe('one trial', () => {
  it.each<[TrialStatus, number, string]>([
    ['pending', 0, 'notTerminal'],
    ['running', 1, 'notTerminal'],
    ['skipped', 0, 'skipped'],
    ['setup_failed', 1, 'setupFailed'],
    ['cancelled', 0, 'cancelled'],
    ['timed_out', 1, 'timedOut'],
    ['failed', 1, 'executionFailed'],
  ])('that is %s counts %i as attempted and is excluded as %s', (status, attempted, reason) => {
    const [only] = decide([row([ended(status)])]).cases;
    expect(only).toMatchObject({
      attemptedTrials: attempted,
      eligibleTrials: 0,
      passedTrials: 0,
      failedTrials: 0,
      passRate: { state: 'notMeasured', value: null, exclusions: { [reason]: 1 } },
      observedStability: { state: 'notMeasured', value: null, exclusions: { [reason]: 1 } },
      completionRate: {
        state: attempted === 1 ? 'measured' : 'notMeasured',
        value: attempted === 1 ? 0 : null,
        exclusions: attempted === 1 ? {} : { [reason]: 1 },
      },
      verdict: 'inconclusive',
      reason: 'caseHasNoEligibleTrials',
    });
  });

  it('that completed with an evaluator error completes and is not graded, verdict or not', () => {
    for (const trial of [evaluatorError, { ...pass, evaluatorError: true }]) {
      const [only] = decide([row([trial])]).cases;
      expect(only?.passRate).toMatchObject({ value: null, exclusions: { evaluatorError: 1 } });
      expect(only?.completionRate).toMatchObject({ value: 1, exclusions: {} });
    }
  });

  it('that was configured and never reported counts exactly as a pending one', () => {
    const reported = decide([row([pass, ended('pending'), ended('pending')])]);
    expect(decide([{ ...row([pass]), configuredTrials: 3 }])).toEqual(reported);
  });

  it('is excluded by its status alone when it did not complete', () => {
    const stray = { ...fail, status: 'timed_out', evaluatorError: true } as const;
    expect(decide([row([stray])])).toEqual(decide([row([ended('timed_out')])]));
  });
});

describe('one case', () => {
  it('that failed every trial is perfectly stable and not mixed', () => {
    const [only] = decide([row(times(3, fail))]).cases;
    expect(only).toMatchObject({ observedStability: { value: 1 }, mixedVerdict: false });
    expect(only).toMatchObject({ verdict: 'failed', reason: 'casePassRateBelowThreshold' });
  });

  it('passes at threshold 0 once a trial was graded', () => {
    expect(decide([row([fail], 0)]).verdict).toBe('passed');
  });

  it('stores the exact quotient', () => {
    const [only] = decide([row([pass, pass, fail], 2 / 3)]).cases;
    expect(only?.passRate.value).toBe(2 / 3);
    expect(only?.verdict).toBe('passed');
  });

  it('carries a variant when the run fanned out and no key for one when it did not', () => {
    const executionVariant = { model: 'm', provider: 'p' };
    expect(decide([{ ...row([pass]), executionVariant }]).cases[0]).toMatchObject({
      executionVariant,
    });
    const unkeyed = decide([{ ...row([pass]), executionVariant: undefined }]).cases[0];
    expect(unkeyed).not.toHaveProperty('executionVariant');
  });
});

describe('the run', () => {
  it('fails when one case fails, with that one reason', () => {
    const decision = decide([row([pass]), row([fail], 1, 'other'), row([fail], 1, 'third')]);
    expect(decision).toMatchObject({ verdict: 'failed', reasons: [below] });
  });

  it('is inconclusive before it is failed', () => {
    const decision = decide([row([fail]), row([ended('failed')], 1, 'other')]);
    expect(decision.verdict).toBe('inconclusive');
    expect(decision.validity.holds).toBe(false);
  });

  it('holds when each rate equals its bound', () => {
    const trials = [...times(7, pass), evaluatorError, ...times(2, ended('failed'))];
    expect(decide([row(trials)]).validity).toMatchObject({
      holds: true,
      completionRate: { value: 0.8 },
      evaluatorErrorRate: { value: 0.1 },
    });
  });

  it('does not mind an unattempted trial once a floor is stated', () => {
    const trials = [ended('skipped'), ended('pending'), pass];
    expect(decide([row(trials)], { minEligibleTrials: 1 }).verdict).toBe('passed');
  });

  it.each([pass, fail])(
    'minds a case that was only skipped, whatever floor is stated: %j',
    (other) => {
      const cases = [row([ended('skipped')], 1, 'a'), row([other], 1, 'b')];
      expect(decide(cases)).toMatchObject({
        verdict: 'inconclusive',
        reasons: ['configuredTrialsNotAttempted', 'caseHasNoEligibleTrials'],
      });
      expect(decide(cases, { minEligibleTrials: 1 })).toMatchObject({
        verdict: 'inconclusive',
        reasons: ['caseHasNoEligibleTrials'],
      });
    },
  );

  it('keeps the cases in the order given', () => {
    const decision = decide([row([pass], 1, 'b'), row([pass], 1, 'a')]);
    expect(decision.cases.map(({ caseId }) => caseId)).toEqual(['b', 'a']);
  });
});

describe('what breaks a rule is refused', () => {
  const policy = resolvePolicy();
  const keyed = (model: string, provider?: string): CaseTrials => ({
    ...row([pass]),
    executionVariant: { model, ...(provider !== undefined && { provider }) },
  });
  it.each<[string, unknown, string]>([
    ['no case', [], 'at cases'],
    ['a completed trial without a verdict', [row([{ status: 'completed' }])], 'neither a verdict'],
    ['an unknown status', [row([{ status: 'lost' } as never])], 'unknown status'],
    [
      'an unknown verdict',
      [row([{ status: 'completed', taskVerdict: 'maybe' } as never])],
      'neither',
    ],
    ['more trials than configured', [{ ...row([pass, pass]), configuredTrials: 1 }], 'more trials'],
    ['nothing configured', [{ ...row([]), configuredTrials: 0 }], 'configuredTrials'],
    ['401 configured', [{ ...row([pass]), configuredTrials: 401 }], 'configuredTrials'],
    ['a threshold in percent', [row([pass], 80)], 'effectivePassThreshold'],
    ['a threshold that is no number', [row([pass], Number.NaN)], 'effectivePassThreshold'],
    ['an id outside the charset', [row([pass], 1, 'a b')], 'caseId'],
    ['an id of 129 characters', [row([pass], 1, 'a'.repeat(129))], 'caseId'],
    [
      'an unknown key in a variant',
      [{ ...keyed('m'), executionVariant: { model: 'm', x: 1 } }],
      'Var',
    ],
    ['one case twice', [row([pass]), row([pass])], 'is listed twice'],
    ['one variant twice', [keyed('m', 'p'), keyed('m', 'p')], 'is listed twice'],
    ['keyed and unkeyed', [keyed('m'), row([pass])], 'and others do not'],
    ['unkeyed and keyed', [row([pass]), keyed('m')], 'and others do not'],
    ['501 cases', times(501, 0).map((_, index) => row([pass], 1, `c${index}`)), 'at most 500'],
    ['cases that are no list', {}, 'at cases'],
  ])('%s', (_title, cases, part) => {
    const decided = decideRun({ policy, cases } as never);
    expect(decided).toEqual({ integrityError: expect.stringContaining(part) });
  });

  it.each([
    ['a floor of eligible trials of 0', { minEligibleTrials: 0 }],
    ['a completion floor in percent', { minCompletionRate: 80 }],
    ['a ceiling below zero', { maxEvaluatorErrorRate: -0.1 }],
  ])('%s', (_title, stated) => {
    const decided = decideRun({ policy: resolvePolicy(stated), cases: [row([pass])] });
    expect(decided).toEqual({ integrityError: expect.stringContaining('policy.') });
  });

  it('tells variants apart by model and by provider, and 500 cases may each have several', () => {
    const variants = [keyed('m'), keyed('n'), keyed('m', 'p'), keyed('m', 'q')];
    expect(decide(variants).cases).toHaveLength(4);
    const cases = times(500, 0).flatMap((_, index) =>
      variants.map((variant) => ({ ...variant, caseId: `c${index}` })),
    );
    expect(decide(cases).cases).toHaveLength(2000);
  });

  it('never throws, whatever it is given, and answers with a decision or one sentence', () => {
    const trial = fc.oneof(
      fc.anything(),
      fc.record({
        status: fc.constantFrom(...trialStatuses),
        taskVerdict: fc.constantFrom('passed', 'failed', undefined, null),
        evaluatorError: fc.constantFrom(true, false, undefined, 1),
      }),
    );
    const cases = fc.array(
      fc.record({
        caseId: fc.oneof(fc.constantFrom('a', 'b'), fc.anything()),
        executionVariant: fc.oneof(fc.constant(undefined), fc.anything()),
        configuredTrials: fc.oneof(fc.integer({ min: -1, max: 102 }), fc.anything()),
        effectivePassThreshold: fc.oneof(fc.double(), fc.double({ min: 0, max: 1 })),
        trials: fc.oneof(fc.array(trial), fc.anything()),
      }),
    );
    const input = fc.oneof(
      fc.anything(),
      fc.record({ policy: fc.constantFrom(resolvePolicy(), {}), cases }),
    );
    fc.assert(
      fc.property(input, (given) => {
        const decided = decideRun(given as never);
        if ('integrityError' in decided) expect(decided.integrityError).toMatch(/^[A-Z].+\.$/);
        else expect(Decision.safeParse(decided.decision).success).toBe(true);
      }),
      runsOf(200),
    );
  });
});

it('lists the validity reasons in the published order', () => {
  expect(validityReasons.map((name) => name.slice(0, 4)).join(' ')).toBe(
    'conf noGr elig comp comp eval eval case',
  );
});

function times<Item>(count: number, item: Item): Item[] {
  return Array.from({ length: count }, () => item);
}

function row(trials: Trial[], effectivePassThreshold = 1, caseId = 'case'): CaseTrials {
  return { caseId, configuredTrials: trials.length, effectivePassThreshold, trials };
}

function decide(cases: CaseTrials[], stated: StatedValidity = {}): Decision {
  const decided = decideRun({ policy: resolvePolicy(stated), cases });
  if ('integrityError' in decided) throw new Error(decided.integrityError);
  return decided.decision;
}

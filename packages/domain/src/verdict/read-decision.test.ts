import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaseTally, CaseTrials } from './case-tally.ts';
import type { Trial } from './classify-trial.ts';
import { decideRun, decideTallies } from './decide-run.ts';
import {
  Decision,
  type DecisionCase,
  exclusionReasons,
  type Rate,
  trialStatuses,
} from './decision.ts';
import { readDecision } from './read-decision.ts';
import { resolvePolicy } from './resolve-policy.ts';

const fraction = fc.constantFrom(0, 0.1, 0.5, 2 / 3, 0.8, 0.9, 1);
const trial: fc.Arbitrary<Trial> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ status: 'completed', taskVerdict: 'passed' } as const) },
  { weight: 2, arbitrary: fc.constant({ status: 'completed', taskVerdict: 'failed' } as const) },
  fc.constant({ status: 'completed', evaluatorError: true } as const),
  fc
    .constantFrom(...trialStatuses.filter((status) => status !== 'completed'))
    .map((status) => ({ status })),
);
const variants = [
  [undefined],
  [{ model: 'm' }],
  [{ model: 'm' }, { model: 'm', provider: 'p' }, { model: 'n', provider: 'p' }],
];
const caseRows: fc.Arbitrary<CaseTrials[]> = fc
  .tuple(fc.constantFrom('a', 'b_2', 'c-3'), fc.constantFrom(...variants))
  .chain(([caseId, executionVariants]) =>
    fc.tuple(
      ...executionVariants.map((executionVariant) =>
        fc
          .record({
            trials: fc.array(trial, { maxLength: 6 }),
            unreported: fc.integer({ min: 0, max: 2 }),
            effectivePassThreshold: fraction,
          })
          .map(({ trials, unreported, effectivePassThreshold }) => ({
            caseId,
            executionVariant,
            effectivePassThreshold,
            trials,
            configuredTrials: Math.max(1, trials.length + unreported),
          })),
      ),
    ),
  );
const decisions: fc.Arbitrary<Decision> = fc
  .record({
    cases: fc
      .uniqueArray(caseRows, { minLength: 1, maxLength: 3, selector: (rows) => rows[0]?.caseId })
      .map((rows) => rows.flat()),
    stated: fc.record(
      {
        minEligibleTrials: fc.integer({ min: 1, max: 8 }),
        minCompletionRate: fraction,
        maxEvaluatorErrorRate: fraction,
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ cases, stated }) => {
    const decided = decideRun({ policy: resolvePolicy(stated), cases });
    if ('integrityError' in decided) throw new Error(decided.integrityError);
    return decided.decision;
  });

/**
 * Fields that the counts of a decision do not determine: names and thresholds. The counts determine
 * every other field.
 */
const undetermined =
  /\.(caseId|model|provider|effectivePassThreshold|minCompletionRate|maxEvaluatorErrorRate|minEligibleTrials)$/;

describe('a decision that the rules produce', () => {
  it('validates and is returned as it was, also after a trip through JSON', () => {
    fc.assert(
      fc.property(decisions, (decision) => {
        expect(rulesBrokenBy(decision)).toEqual([]);
        expect(readDecision(decision)).toEqual(decision);
        expect(JSON.stringify(readDecision(JSON.parse(JSON.stringify(decision))))).toBe(
          JSON.stringify(decision),
        );
      }),
      runsOf(200),
    );
  });

  it('gives the same bytes whatever order its keys were stored in', () => {
    fc.assert(
      fc.property(decisions, (decision) => {
        expect(JSON.stringify(readDecision(reverseKeys(decision)))).toBe(JSON.stringify(decision));
      }),
    );
  });
});

describe('an altered decision', () => {
  it('never validates when a leaf that the counts determine has any other value', () => {
    fc.assert(
      fc.property(decisions, fc.nat({ max: 4 }), (decision, fifth) => {
        const accepted = leafPaths(decision)
          .filter((path) => !undetermined.test(`.${path.join('.')}`))
          .flatMap((path) => alterations(decision, path))
          .filter((_, index) => index % 5 === fifth)
          .filter((altered) => readDecision(altered.decision) !== undefined);
        expect(accepted).toEqual([]);
      }),
      runsOf(40),
    );
  }, 240_000);

  it('validates with another name or term exactly when every rule still holds', () => {
    fc.assert(
      fc.property(decisions, (decision) => {
        const misread = leafPaths(decision)
          .filter((path) => undetermined.test(`.${path.join('.')}`))
          .flatMap((path) => alterations(decision, path))
          .filter((altered) => {
            const holds = rulesBrokenBy(altered.decision as Decision).length === 0;
            return (readDecision(altered.decision) !== undefined) !== holds;
          });
        expect(misread).toEqual([]);
      }),
      runsOf(40),
    );
  }, 240_000);

  it('never validates with a key more or a required key less, at any depth', () => {
    fc.assert(
      fc.property(decisions, (decision) => {
        const accepted = objectPaths(decision)
          .flatMap((path) => otherKeys(decision, path))
          .filter((altered) => readDecision(altered) !== undefined);
        expect(accepted).toEqual([]);
      }),
      runsOf(40),
    );
  }, 240_000);

  it('never validates with a reason more, a reason less, a reason twice or another order', () => {
    fc.assert(
      fc.property(decisions, (decision) => {
        const { reasons } = decision;
        const others = [
          [],
          reasons.slice(1),
          [...reasons, 'noGradeableTrials'],
          [...reasons, ...reasons],
          ...(reasons.length > 1 ? [[...reasons].reverse()] : []),
        ];
        for (const other of others) {
          expect(readDecision({ ...decision, reasons: other })).toBeUndefined();
        }
      }),
    );
  });

  it('never validates when a case is taken away, repeated or loses its whole variant to a mix', () => {
    fc.assert(
      fc.property(decisions, (decision) => {
        const { cases } = decision;
        expect(readDecision({ ...decision, cases: cases.slice(1) })).toBeUndefined();
        expect(readDecision({ ...decision, cases: [...cases, cases[0]] })).toBeUndefined();
        const keyed = cases.filter((row) => row.executionVariant !== undefined);
        if (keyed.length < 2 || keyed[0]?.caseId !== keyed[1]?.caseId) return;
        const { executionVariant: _, ...unkeyed } = keyed[0] as DecisionCase;
        const mixed = cases.map((row) => (row === keyed[0] ? unkeyed : row));
        expect(readDecision({ ...decision, cases: mixed })).toBeUndefined();
      }),
    );
  });
});

describe('a decision that agrees with itself and not with any trials', () => {
  const tally = { caseId: 'a', effectivePassThreshold: 1, passedTrials: 2, failedTrials: 0 };
  const policy = resolvePolicy({ minEligibleTrials: 1, minCompletionRate: 0 });
  it.each<[string, CaseTally]>([
    [
      'because trials vanish between its counts',
      { ...tally, configuredTrials: 4, runningTrials: 0, exclusions: {} },
    ],
    [
      'because more trials never began than are not terminal',
      {
        ...tally,
        configuredTrials: 4,
        runningTrials: -1,
        exclusions: { notTerminal: 1, timedOut: 1 },
      },
    ],
  ])('is not read %s', (_title, forged) => {
    const decided = decideTallies(policy, [forged]);
    if ('integrityError' in decided) throw new Error(decided.integrityError);
    expect(Decision.safeParse(decided.decision).success).toBe(true);
    expect(readDecision(decided.decision)).toBeUndefined();
  });
});

describe('what is not a decision', () => {
  it('is not read, and nothing throws', () => {
    fc.assert(fc.property(fc.anything(), (stored) => readDecision(stored) === undefined));
  });

  it('includes one with more than 500 distinct cases, while 500 are read', () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        caseId: `c${index}`,
        configuredTrials: 1,
        effectivePassThreshold: 1,
        trials: [{ status: 'completed', taskVerdict: 'passed' } as const],
      }));
    const decided = decideRun({ policy: resolvePolicy(), cases: rows(500) });
    if ('integrityError' in decided) throw new Error(decided.integrityError);
    expect(readDecision(decided.decision)).toBeDefined();
    const { validity, cases } = decided.decision;
    const more = (rate: Rate) => {
      const numerator = rate.numerator === 0 ? 0 : 501;
      return { ...rate, numerator, denominator: 501 };
    };
    const grown = {
      ...decided.decision,
      cases: [...cases, { ...(cases[0] as DecisionCase), caseId: 'c500' }],
      validity: {
        ...validity,
        configuredTrials: 501,
        attemptedTrials: 501,
        eligibleTrials: 501,
        completionRate: more(validity.completionRate),
        evaluatorErrorRate: more(validity.evaluatorErrorRate),
      },
    };
    expect(readDecision(grown)).toBeUndefined();
    const keyed = (model: string) => ({ caseId: 'c499', executionVariant: { model } });
    const [first, second] = [keyed('m'), keyed('n')].map((name) => ({ ...cases[0], ...name }));
    expect(
      readDecision({ ...grown, cases: [...cases.slice(0, 499), first, second] }),
    ).toBeDefined();
  });
});

/**
 * Checks all rules between the numbers of a decision with a second implementation, independent of
 * the code under test.
 */
function rulesBrokenBy(decision: Decision): string[] {
  const broken: string[] = [];
  const rule = (name: string, holds: boolean) => {
    if (!holds) broken.push(name);
  };
  const { cases, validity } = decision;
  const total = (count: (row: DecisionCase) => number) =>
    cases.reduce((sum, row) => sum + count(row), 0);
  const excluded = (rate: Rate) =>
    exclusionReasons.reduce((sum, reason) => sum + (rate.exclusions[reason] ?? 0), 0);
  const quotient = (rate: Rate) =>
    rate.denominator === 0 ? rate.value === null : rate.value === rate.numerator / rate.denominator;
  const isFraction = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
  for (const row of cases) {
    const { passRate, completionRate, observedStability } = row;
    rule('id', typeof row.caseId === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(row.caseId));
    const names: unknown[] = Object.values(row.executionVariant ?? {});
    rule(
      'variant',
      names.every((name) => typeof name === 'string' && name.length > 0),
    );
    rule('threshold', isFraction(row.effectivePassThreshold));
    rule('quotients', [passRate, completionRate, observedStability].every(quotient));
    rule('eligible', row.eligibleTrials === row.passedTrials + row.failedTrials);
    rule('pass', passRate.numerator === row.passedTrials);
    rule('pass of', passRate.denominator === row.eligibleTrials);
    rule('complete of', completionRate.denominator === row.attemptedTrials);
    rule('stable of', observedStability.denominator === row.eligibleTrials);
    rule('stable', observedStability.numerator === Math.max(row.passedTrials, row.failedTrials));
    rule('configured', row.configuredTrials === row.eligibleTrials + excluded(passRate));
    rule('attempted', row.configuredTrials === row.attemptedTrials + excluded(completionRate));
    rule('mixed', row.mixedVerdict === row.passedTrials * row.failedTrials > 0);
    const verdict =
      row.eligibleTrials === 0
        ? 'inconclusive'
        : row.passedTrials / row.eligibleTrials >= row.effectivePassThreshold
          ? 'passed'
          : 'failed';
    rule('verdict', row.verdict === verdict);
  }
  const { policy, completionRate, evaluatorErrorRate } = validity;
  rule('rates', quotient(completionRate) && quotient(evaluatorErrorRate));
  rule('sum configured', validity.configuredTrials === total((row) => row.configuredTrials));
  rule('sum attempted', validity.attemptedTrials === total((row) => row.attemptedTrials));
  rule('sum eligible', validity.eligibleTrials === total((row) => row.eligibleTrials));
  rule('completed', completionRate.numerator === total((row) => row.completionRate.numerator));
  const errors = total((row) => row.passRate.exclusions.evaluatorError ?? 0);
  rule('evaluator errors', evaluatorErrorRate.numerator === errors);
  rule('floor', isFraction(policy.minCompletionRate) && isFraction(policy.maxEvaluatorErrorRate));
  const failed: string[] = [];
  if (policy.coverage.kind === 'minEligibleTrials') {
    const floor = policy.coverage.minEligibleTrials;
    rule('eligible floor', Number.isSafeInteger(floor) && floor >= 1);
    if (!(validity.eligibleTrials >= floor)) failed.push('eligibleTrialsBelowMinimum');
  } else {
    if (validity.attemptedTrials !== validity.configuredTrials) {
      failed.push('configuredTrialsNotAttempted');
    }
    if (validity.eligibleTrials === 0) failed.push('noGradeableTrials');
  }
  if (completionRate.value === null) failed.push('completionRateNotMeasured');
  else if (completionRate.value < policy.minCompletionRate) {
    failed.push('completionRateBelowMinimum');
  }
  if (evaluatorErrorRate.value === null) failed.push('evaluatorErrorRateNotMeasured');
  else if (evaluatorErrorRate.value > policy.maxEvaluatorErrorRate) {
    failed.push('evaluatorErrorRateAboveMaximum');
  }
  if (cases.some((row) => row.eligibleTrials === 0)) failed.push('caseHasNoEligibleTrials');
  rule('holds', validity.holds === (failed.length === 0));
  const task = cases.some((row) => row.verdict === 'failed')
    ? 'casePassRateBelowThreshold'
    : 'allMeasuredCasesMetThreshold';
  rule('reasons', decision.reasons.join() === (failed.length > 0 ? failed.join() : task));
  const identities = cases.map((row) => JSON.stringify([row.caseId, identity(row)]));
  rule('distinct', new Set(identities).size === cases.length);
  const unkeyed = cases.filter((row) => row.executionVariant === undefined);
  rule(
    'unmixed',
    unkeyed.every((row) => cases.filter(({ caseId }) => caseId === row.caseId).length === 1),
  );
  return broken;
}

function identity({ executionVariant }: DecisionCase): unknown {
  return executionVariant && [executionVariant.provider ?? null, executionVariant.model];
}

type Path = (string | number)[];

function leafPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, child]) => leafPaths(child, [...path, key]));
}

function objectPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, child]) => objectPaths(child, [...path, key]));
  return Array.isArray(value) ? below : [path, ...below];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((inside, key) => (inside as Record<string, unknown>)[key], value);
}

function replace(value: unknown, path: Path, leaf: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return leaf;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as never;
  copy[key as never] = replace((value as never)[key], rest, leaf) as never;
  return copy;
}

/** Returns copies of the decision. Each copy has a different value at the path. */
function alterations(decision: Decision, path: Path) {
  const leaf = at(decision, path);
  const words = ['passed', 'failed', 'inconclusive', 'measured', 'notMeasured', 'a', 'm', ''];
  const reasons = [...decision.reasons, 'noGradeableTrials', 'casePassRateMetThreshold'];
  const near = typeof leaf === 'number' ? [leaf - 1, leaf + 1, leaf / 2, leaf + 1e-9] : [];
  const others = [0, 1, 2, 0.5, 101, Number.NaN, true, false, null, undefined, [], {}];
  return [...words, ...reasons, ...near, ...others]
    .filter((value) => value !== leaf)
    .map((value) => ({ path, value, decision: replace(decision, path, value) }));
}

/**
 * Returns copies of the decision in which the object at the path has an extra key or lacks a key.
 */
function otherKeys(decision: Decision, path: Path): unknown[] {
  const target = at(decision, path) as Record<string, unknown>;
  const fewer = Object.keys(target)
    .filter((name) => name !== 'provider' && name !== 'executionVariant')
    .map((name) => {
      const { [name]: _, ...rest } = target;
      return rest;
    });
  return [{ ...target, extra: 1 }, ...fewer].map((other) => replace(decision, path, other));
}

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, child]) => [key, reverseKeys(child)])
      .reverse(),
  );
}

/**
 * The first phase of deciding a run: whether there is enough evidence. Validity holds if all of
 * these checks pass:
 *
 * - Coverage is met.
 * - The completion rate is measured and not below its floor.
 * - The evaluator error rate is measured and not above its ceiling.
 * - Every case has an eligible trial.
 *
 * Both rates are over all attempted trials. All failed checks are listed.
 */
import type {
  Coverage,
  DecisionCase,
  Rate,
  Validity,
  ValidityPolicy,
  ValidityReason,
} from './decision.ts';
import { rate, sumExclusions } from './rate.ts';

export function checkValidity(
  policy: ValidityPolicy,
  cases: readonly DecisionCase[],
): { validity: Validity; failedChecks: ValidityReason[] } {
  const configuredTrials = sum(cases, (row) => row.configuredTrials);
  const attemptedTrials = sum(cases, (row) => row.attemptedTrials);
  const eligibleTrials = sum(cases, (row) => row.eligibleTrials);
  const completedTrials = sum(cases, (row) => row.completionRate.numerator);
  const evaluatorErrors = sum(cases, (row) => row.passRate.exclusions.evaluatorError ?? 0);
  const unattempted = sumExclusions(cases.map((row) => row.completionRate.exclusions));
  const completionRate = rate(completedTrials, attemptedTrials, unattempted);
  const evaluatorErrorRate = rate(evaluatorErrors, attemptedTrials, unattempted);
  const totals = { configuredTrials, attemptedTrials, eligibleTrials };
  const failedChecks: ValidityReason[] = [
    ...coverageFailures(policy.coverage, totals),
    ...completionFailures(completionRate, policy.minCompletionRate),
    ...evaluatorFailures(evaluatorErrorRate, policy.maxEvaluatorErrorRate),
    ...when(
      cases.some((row) => row.eligibleTrials === 0),
      'caseHasNoEligibleTrials',
    ),
  ];
  const holds = failedChecks.length === 0;
  return {
    validity: { policy, holds, ...totals, completionRate, evaluatorErrorRate },
    failedChecks,
  };
}

interface Totals {
  readonly configuredTrials: number;
  readonly attemptedTrials: number;
  readonly eligibleTrials: number;
}

function coverageFailures(coverage: Coverage, totals: Totals): ValidityReason[] {
  const { configuredTrials, attemptedTrials, eligibleTrials } = totals;
  if (coverage.kind === 'minEligibleTrials') {
    return when(eligibleTrials < coverage.minEligibleTrials, 'eligibleTrialsBelowMinimum');
  }
  return [
    ...when(attemptedTrials < configuredTrials, 'configuredTrialsNotAttempted'),
    ...when(eligibleTrials < coverage.minGradeableTrials, 'noGradeableTrials'),
  ];
}

function completionFailures(completion: Rate, floor: number): ValidityReason[] {
  if (completion.state === 'notMeasured') return ['completionRateNotMeasured'];
  return when(completion.value < floor, 'completionRateBelowMinimum');
}

function evaluatorFailures(errors: Rate, ceiling: number): ValidityReason[] {
  if (errors.state === 'notMeasured') return ['evaluatorErrorRateNotMeasured'];
  return when(errors.value > ceiling, 'evaluatorErrorRateAboveMaximum');
}

function when(failed: boolean, reason: ValidityReason): ValidityReason[] {
  return failed ? [reason] : [];
}

function sum(cases: readonly DecisionCase[], count: (row: DecisionCase) => number): number {
  return cases.reduce((total, row) => total + count(row), 0);
}

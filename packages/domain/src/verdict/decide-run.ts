/**
 * The decision of a run under verdict policy v2, in two phases. If there is too little valid
 * evidence, the run is inconclusive, and the reasons are the failed checks. Otherwise one failed
 * case fails the run. If the evidence contradicts itself, the result is an integrity error with a
 * sentence about the problem.
 */
import * as z from 'zod';
import { identityProblem } from './case-identity.ts';
import { type CaseTally, type CaseTrials, tallyTrials } from './case-tally.ts';
import { checkValidity } from './check-validity.ts';
import {
  type CaseReason,
  type Decision,
  DecisionCase,
  type DecisionReason,
  type Exclusions,
  type Rate,
  ValidityPolicy,
  type Verdict,
  verdictPolicyVersion,
} from './decision.ts';
import { rate, sumExclusions } from './rate.ts';

export interface RunTrials {
  readonly policy: ValidityPolicy;
  readonly cases: readonly CaseTrials[];
}

export type RunDecision = { decision: Decision } | { integrityError: string };

const Evidence = z.object({
  policy: ValidityPolicy,
  cases: z
    .array(
      DecisionCase.pick({
        caseId: true,
        executionVariant: true,
        configuredTrials: true,
        effectivePassThreshold: true,
      })
        .strip()
        .extend({
          // Here, unlike in a stored decision, `undefined` is allowed for "no variant".
          executionVariant: DecisionCase.shape.executionVariant.optional(),
          // The trials are only checked to be objects: `classifyTrial` checks each trial and
          // rejects unknown values.
          trials: z.array(z.custom<CaseTrials['trials'][number]>(isObject)),
        }),
    )
    .min(1),
});

export function decideRun(input: RunTrials): RunDecision {
  const evidence = Evidence.safeParse(input);
  if (!evidence.success) return { integrityError: describe(evidence.error) };
  const tallies: CaseTally[] = [];
  for (const caseTrials of evidence.data.cases) {
    const tallied = tallyTrials(caseTrials);
    if ('problem' in tallied) {
      const integrityError = `The case ${caseTrials.caseId} cannot be decided: ${tallied.problem}.`;
      return { integrityError };
    }
    tallies.push(tallied.tally);
  }
  return decideTallies(evidence.data.policy, tallies);
}

/** Applies the rules of `decideRun` to counts. Stored decisions are checked this way. */
export function decideTallies(
  policy: ValidityPolicy,
  tallies: readonly CaseTally[],
  nameOf?: (caseId: string) => string,
): RunDecision {
  const integrityError = identityProblem(tallies, nameOf);
  if (integrityError !== undefined) return { integrityError };
  const cases = tallies.map(decideCase);
  const { validity, failedChecks } = checkValidity(policy, cases);
  const [verdict, reasons] = conclude(failedChecks, cases);
  return { decision: { verdictPolicyVersion, verdict, reasons, validity, cases } };
}

export function verdictOfTallies(policy: ValidityPolicy, tallies: readonly CaseTally[]): Verdict {
  const cases = tallies.map(decideCase);
  return conclude(checkValidity(policy, cases).failedChecks, cases)[0];
}

function conclude(
  failedChecks: DecisionReason[],
  cases: readonly DecisionCase[],
): [Verdict, DecisionReason[]] {
  if (failedChecks.length > 0) return ['inconclusive', failedChecks];
  return cases.some(({ verdict }) => verdict === 'failed')
    ? ['failed', ['casePassRateBelowThreshold']]
    : ['passed', ['allMeasuredCasesMetThreshold']];
}

function describe(error: z.ZodError): string {
  const path = error.issues[0]?.path.join('.') || 'the input';
  return `The evidence of this run is malformed at ${path}.`;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/**
 * Decides one case.
 *
 * - Attempted trials have started. Pending, unreported, skipped and cancelled trials are not
 *   attempted.
 * - Eligible trials are the graded ones. The pass rate and the stability are over these; the
 *   completion rate is over the attempted ones.
 * - Without an eligible trial the case is inconclusive, even at threshold 0.
 * - A pass rate equal to the threshold passes.
 */
function decideCase(tally: CaseTally): DecisionCase {
  const { caseId, executionVariant, configuredTrials, effectivePassThreshold } = tally;
  const { passedTrials, failedTrials, exclusions } = tally;
  const eligibleTrials = passedTrials + failedTrials;
  const unattempted = unattemptedTrials(tally);
  const attemptedTrials =
    configuredTrials - Object.values(unattempted).reduce((sum, count) => sum + count, 0);
  const completedTrials = eligibleTrials + (exclusions.evaluatorError ?? 0);
  const passRate = rate(passedTrials, eligibleTrials, exclusions);
  return {
    caseId,
    ...(executionVariant !== undefined && { executionVariant }),
    configuredTrials,
    attemptedTrials,
    eligibleTrials,
    passedTrials,
    failedTrials,
    effectivePassThreshold,
    passRate,
    completionRate: rate(completedTrials, attemptedTrials, unattempted),
    observedStability: rate(Math.max(passedTrials, failedTrials), eligibleTrials, exclusions),
    mixedVerdict: passedTrials > 0 && failedTrials > 0,
    ...judge(passRate, effectivePassThreshold),
  };
}

function unattemptedTrials({ exclusions, runningTrials }: CaseTally): Exclusions {
  const { notTerminal = 0, skipped = 0, cancelled = 0 } = exclusions;
  return sumExclusions([{ notTerminal: notTerminal - runningTrials, skipped, cancelled }]);
}

function judge(passRate: Rate, threshold: number): { verdict: Verdict; reason: CaseReason } {
  if (passRate.state === 'notMeasured') {
    return { verdict: 'inconclusive', reason: 'caseHasNoEligibleTrials' };
  }
  return passRate.value >= threshold
    ? { verdict: 'passed', reason: 'casePassRateMetThreshold' }
    : { verdict: 'failed', reason: 'casePassRateBelowThreshold' };
}

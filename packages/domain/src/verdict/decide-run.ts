/**
 * The decision of a run under verdict policy v2, in two phases. If validity does not hold, the run
 * is inconclusive, and the reasons are the failed checks. If it holds, one failed case fails the
 * run; otherwise the run passed. Evidence that breaks a rule is never guessed: the answer is then
 * an integrity error with one sentence about the problem.
 */
import * as z from 'zod';
import { identityProblem } from './case-identity.ts';
import { type CaseTally, type CaseTrials, tallyTrials } from './case-tally.ts';
import { checkValidity } from './check-validity.ts';
import { decideCase } from './decide-case.ts';
import {
  type Decision,
  DecisionCase,
  type DecisionReason,
  ValidityPolicy,
  type Verdict,
  verdictPolicyVersion,
} from './decision.ts';

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
          // "No variant" may also be `undefined`, which a stored decision never contains.
          executionVariant: DecisionCase.shape.executionVariant.optional(),
          // The classification checks each trial and rejects unknown values.
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

/** Applies the same rules to counts, which is how a stored decision is checked. */
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

/**
 * Returns the verdict of the same rules for more cases or trials than a decision may hold; no
 * decision is stored.
 */
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

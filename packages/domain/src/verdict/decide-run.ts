/**
 * The decision of a run under verdict policy v2, in two ordered phases. When validity does not hold
 * the run is inconclusive and the reasons are the checks that failed. When it holds, one failed case
 * fails the run, and otherwise the run passed. Evidence that breaks a rule is never guessed at: the
 * answer is then an integrity error that says in one sentence what was wrong.
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
          // No variant may also be said with `undefined`, which a stored decision never holds.
          executionVariant: DecisionCase.shape.executionVariant.optional(),
          // What a trial says is decided by its classification, which refuses what it does not know.
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

/** The same rules over counts, which is how a stored decision is checked. */
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

/** What the same rules say where there is more than a decision may hold; no shape is kept of it. */
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

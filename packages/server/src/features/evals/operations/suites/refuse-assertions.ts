/**
 * When cases are saved, rejects those that no trial could carry out: with an assertion that cannot
 * be evaluated, or a trial plan that needs too many trials.
 */
import {
  type AssertionProblem,
  assertionsAt,
  type CaseToWarnOf,
  choiceProblems,
  invalid,
  planRefusal,
  planRefusalOfCase,
  type Refusal,
  runnableOfCase,
  type StatedAssertion,
  type SuiteSettings,
} from '@proofmark/domain';
import { whyNeverChecked } from '../../../../outside/mcp/schema-engine.ts';
import { whyPatternNeverRuns } from '../../../../outside/patterns/linear-patterns.ts';
import { refuse } from '../../../../platform/operations/action.ts';

export function refuseAssertions(
  cases: readonly CaseToWarnOf[],
  checks: SuiteSettings['checks'] | null = [],
): void {
  refuseFirst([
    ...engineProblems(assertionsAt(checks ?? [], 'body.settings.checks')),
    ...cases.flatMap(problemsOfCase),
  ]);
  for (const one of cases) refusePlan(planRefusalOfCase(one));
}

/** Rejects an impossible trial plan in the suite's settings, which apply to all cases. */
export function refusePlanOfSuite(settings: SuiteSettings | null | undefined): void {
  const stated = settings?.verdictPolicyDefaults?.trials;
  if (stated === undefined) return;
  refusePlan(planRefusal(stated, 'body.settings.verdictPolicyDefaults.trials'));
}

export function refusePlan(refusal: Refusal | undefined): void {
  if (refusal !== undefined) refuse(refusal);
}

export function refuseStatedAssertions(stated: readonly StatedAssertion[]): void {
  refuseFirst(engineProblems(stated));
}

export function problemsOfCase(one: CaseToWarnOf): AssertionProblem[] {
  return [...engineProblems(runnableOfCase(one)), ...choiceProblems(one)];
}

function refuseFirst([first]: readonly AssertionProblem[]): void {
  if (first === undefined) return;
  refuse(invalid(first.path, first.message, { reason: first.reason }));
}

function engineProblems(stated: readonly StatedAssertion[]): AssertionProblem[] {
  return stated.flatMap(({ path, assertion }): AssertionProblem[] => {
    const message = whyNotRun(assertion);
    if (message === undefined) return [];
    return 'pattern' in assertion
      ? [{ path: `${path}.pattern`, message, reason: 'PATTERN_INVALID' }]
      : [{ path: `${path}.schema`, message, reason: 'SCHEMA_INVALID' }];
  });
}

/** Returns undefined if the pattern or schema of the assertion can be evaluated. */
export function whyNotRun(assertion: StatedAssertion['assertion']): string | undefined {
  if ('pattern' in assertion) return whyPatternNeverRuns(assertion.pattern);
  const problem = 'schema' in assertion ? whyNeverChecked(assertion.schema) : undefined;
  return problem && `This schema cannot be checked: ${problem}`;
}

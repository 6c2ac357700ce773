/**
 * Rejects, when it is saved, an assertion that cannot be evaluated, because it could neither pass
 * nor fail in any trial.
 */
import {
  type AssertionProblem,
  assertionsAt,
  type CaseToWarnOf,
  choiceProblems,
  invalid,
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

/** Returns why the engines cannot run the assertion, or undefined if they can. */
export function whyNotRun(assertion: StatedAssertion['assertion']): string | undefined {
  if ('pattern' in assertion) return whyPatternNeverRuns(assertion.pattern);
  const problem = 'schema' in assertion ? whyNeverChecked(assertion.schema) : undefined;
  return problem && `This schema cannot be checked: ${problem}`;
}

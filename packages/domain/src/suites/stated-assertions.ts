/**
 * The assertions in a request, each with its path. An assertion that can never be decided is
 * refused at that path, since grading could never pass or fail it.
 */
import { type Assertion, choiceKinds } from '../assertions/assertion.ts';
import { type CaseToWarnOf, checksPathOf } from './case-warnings.ts';
import { asksModel } from './step.ts';
import { isTemplate } from './template-text.ts';
import type { WidgetAssertion } from './widget.ts';

export interface StatedAssertion {
  readonly path: string;
  readonly assertion: Assertion | WidgetAssertion;
}

export interface AssertionProblem {
  readonly path: string;
  readonly message: string;
  readonly reason: 'PATTERN_INVALID' | 'SCHEMA_INVALID' | 'NO_PROMPT';
}

export function assertionsOfCase(one: CaseToWarnOf): StatedAssertion[] {
  const { path, definition } = one;
  return [
    ...definition.steps.flatMap((step, index) =>
      step.kind === 'assert'
        ? [{ path: `${path}.steps[${index}].assertion`, assertion: step.assertion }]
        : [],
    ),
    ...assertionsAt(definition.checks?.list ?? [], checksPathOf(one)),
  ];
}

export function assertionsAt(assertions: readonly Assertion[], path: string): StatedAssertion[] {
  return assertions.map((assertion, index) => ({ path: `${path}[${index}]`, assertion }));
}

/**
 * Returns the assertions whose patterns and schemas are final. In a case with data, those with
 * templates are left out, since they are final only with the values of a row.
 */
export function runnableOfCase(one: CaseToWarnOf): StatedAssertion[] {
  const stated = assertionsOfCase(one);
  if (one.definition.data === undefined) return stated;
  return stated.filter(({ assertion }) => {
    if ('pattern' in assertion) return !isTemplate(assertion.pattern);
    return !('schema' in assertion && isTemplate(JSON.stringify(assertion.schema)));
  });
}

export function choiceProblems(one: CaseToWarnOf): AssertionProblem[] {
  if (one.definition.steps.some(asksModel)) return [];
  return assertionsOfCase(one).flatMap(({ path, assertion }) => {
    if ('kind' in assertion || !choiceKinds.includes(assertion.type)) return [];
    const message = `${assertion.type} checks the tool calls that a model chooses, but no step of this case asks a model; add a prompt, or remove the check.`;
    return [{ path: `${path}.type`, message, reason: 'NO_PROMPT' }];
  });
}

/**
 * The assertions that somebody states, each with its place, so that one which nobody could answer is refused where it is
 * written: at grading it could neither hold nor fail.
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
 * Those whose patterns and schemas are what they are to be. Where a case has rows, one with templates is none before
 * they are filled in.
 */
export function runnableOfCase(one: CaseToWarnOf): StatedAssertion[] {
  const stated = assertionsOfCase(one);
  if (one.definition.data === undefined) return stated;
  return stated.filter(({ assertion }) => {
    if ('pattern' in assertion) return !isTemplate(assertion.pattern);
    return !('schema' in assertion && isTemplate(JSON.stringify(assertion.schema)));
  });
}

/** What asks about the choice of a model, in a case that asks none. */
export function choiceProblems(one: CaseToWarnOf): AssertionProblem[] {
  if (one.definition.steps.some(asksModel)) return [];
  return assertionsOfCase(one).flatMap(({ path, assertion }) => {
    if ('kind' in assertion || !choiceKinds.includes(assertion.type)) return [];
    const message = `${assertion.type} is about the choice of a model, and no step of this case asks one; add a prompt, or remove it.`;
    return [{ path: `${path}.type`, message, reason: 'NO_PROMPT' }];
  });
}

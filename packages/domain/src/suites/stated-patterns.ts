/** The patterns that assertions state, each with its place, so that one that cannot be run is refused where it is written. */
import type { Assertion } from '../assertions/assertion.ts';
import { type CaseToWarnOf, checksPathOf } from './case-warnings.ts';
import { isTemplate } from './template-text.ts';
import type { WidgetAssertion } from './widget.ts';

export interface StatedPattern {
  readonly path: string;
  readonly pattern: string;
}

/** Where a case has rows, a pattern with templates is none before they are filled in. */
export function patternsOfCase(one: CaseToWarnOf): StatedPattern[] {
  const { path, definition } = one;
  const stated = [
    ...definition.steps.flatMap((step, index) =>
      step.kind === 'assert'
        ? patternIn(step.assertion, `${path}.steps[${index}].assertion.pattern`)
        : [],
    ),
    ...patternsOf(definition.checks?.list ?? [], checksPathOf(one)),
  ];
  if (definition.data === undefined) return stated;
  return stated.filter(({ pattern }) => !isTemplate(pattern));
}

export function patternsOf(assertions: readonly Assertion[], path: string): StatedPattern[] {
  return assertions.flatMap((one, index) => patternIn(one, `${path}[${index}].pattern`));
}

function patternIn(assertion: Assertion | WidgetAssertion, path: string): StatedPattern[] {
  return 'pattern' in assertion ? [{ path, pattern: assertion.pattern }] : [];
}

/** The patterns that assertions state, each with its place, so that one that cannot be run is refused where it is written. */
import type { Assertion } from '../assertions/assertion.ts';
import { type CaseToWarnOf, checksPathOf } from './case-warnings.ts';
import type { WidgetAssertion } from './widget.ts';

export interface StatedPattern {
  readonly path: string;
  readonly pattern: string;
}

export function patternsOfCase(one: CaseToWarnOf): StatedPattern[] {
  const { path, definition } = one;
  return [
    ...definition.steps.flatMap((step, index) =>
      step.kind === 'assert'
        ? patternIn(step.assertion, `${path}.steps[${index}].assertion.pattern`)
        : [],
    ),
    ...patternsOf(definition.checks?.list ?? [], checksPathOf(one)),
  ];
}

export function patternsOf(assertions: readonly Assertion[], path: string): StatedPattern[] {
  return assertions.flatMap((one, index) => patternIn(one, `${path}[${index}].pattern`));
}

function patternIn(assertion: Assertion | WidgetAssertion, path: string): StatedPattern[] {
  return 'pattern' in assertion ? [{ path, pattern: assertion.pattern }] : [];
}

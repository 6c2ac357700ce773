/**
 * Which assertions hold for a whole case: those of the run where it brings its own, else what the case says about
 * those of its suite (inherit, replace or extend them), else those of the suite.
 */
import type { Assertion } from '../assertions/assertion.ts';
import type { Checks } from './eval-case.ts';

export function effectiveChecks(layers: {
  readonly suite?: readonly Assertion[] | undefined;
  readonly case?: Checks | undefined;
  readonly run?: readonly Assertion[] | undefined;
}): readonly Assertion[] {
  if (layers.run !== undefined) return layers.run;
  const ofSuite = layers.suite ?? [];
  const ofCase = layers.case?.list ?? [];
  switch (layers.case?.mode) {
    case 'replace':
      return ofCase;
    case 'extend':
      return [...ofSuite, ...ofCase];
    default:
      return ofSuite;
  }
}

/**
 * Returns the assertions about a whole case. Assertions of the run replace all others; otherwise
 * the case inherits, replaces or extends those of the suite. In a case without a model, inherited
 * assertions about a model's choice are left out, since they could never fail.
 */
import { type Assertion, choiceKinds } from '../assertions/assertion.ts';
import type { Checks } from './eval-case.ts';
import type { Step } from './step.ts';
import { asksModel } from './step.ts';

export function effectiveChecks(layers: {
  readonly suite?: readonly Assertion[] | undefined;
  readonly case?: Checks | undefined;
  readonly run?: readonly Assertion[] | undefined;
  readonly steps: readonly Step[];
}): readonly Assertion[] {
  if (layers.run !== undefined) return askable(layers.run, layers.steps);
  const ofSuite = askable(layers.suite ?? [], layers.steps);
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

function askable(checks: readonly Assertion[], steps: readonly Step[]): readonly Assertion[] {
  if (steps.some(asksModel)) return checks;
  return checks.filter(({ type }) => !choiceKinds.includes(type));
}

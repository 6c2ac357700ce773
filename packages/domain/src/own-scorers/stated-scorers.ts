import type { PlannedCase } from '../suites/planned-case.ts';

export function asksOwnScorer({
  assertions,
  steps,
}: Pick<PlannedCase, 'assertions' | 'steps'>): boolean {
  return (
    assertions.some(({ type }) => type === 'scorer') ||
    steps.some(
      (step) =>
        step.kind === 'assert' && 'type' in step.assertion && step.assertion.type === 'scorer',
    )
  );
}

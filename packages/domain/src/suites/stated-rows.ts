import type { Assertion } from '../assertions/assertion.ts';
import type { StatedRow } from '../assertions/assertion-kind.ts';
import type { ProjectedSteps } from './project-steps.ts';

export function statedRows(
  { steps }: Pick<ProjectedSteps, 'steps'>,
  assertions: readonly Assertion[],
): StatedRow[] {
  return [
    ...steps.flatMap(({ step, promptIndex }) =>
      step.kind === 'assert' ? [{ assertion: step.assertion, promptIndex }] : [],
    ),
    ...assertions.map((assertion) => ({ assertion })),
  ];
}

import { isGradingPending, type RunGrades } from '@proofmark/domain';

/** Whether the verdict of a run in a list may still change, so that the list is read again. */
export function mayChange(run: {
  readonly status: string;
  readonly grades: RunGrades | null;
}): boolean {
  return run.status === 'running' || isGradingPending(run.grades ?? undefined);
}

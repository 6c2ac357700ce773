import { isGradingPending, type RunGrades } from '@proofmark/domain';

/** Whether the verdict of a run in a list may still change, so that the list is read again. */
export function mayChange(run: {
  readonly status: string;
  readonly grades: RunGrades | null;
}): boolean {
  return run.status === 'running' || isGradingPending(run.grades ?? undefined);
}

/** A run that has ended may still wait for grades, or for its judge. The card was read after the run; both must say so. */
export function isUnderWay(watched: {
  readonly run: Parameters<typeof mayChange>[0] & {
    readonly goalCompletion: { readonly pendingCount: number | null } | null;
  };
  readonly card: RunGrades | null;
}): boolean {
  const { run, card } = watched;
  const toJudge = run.goalCompletion?.pendingCount ?? 0;
  return mayChange(run) || isGradingPending(card ?? undefined) || toJudge > 0;
}

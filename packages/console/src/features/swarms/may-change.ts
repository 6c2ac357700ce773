import { isGradingPending, type RunGrades } from '@proofmark/domain';

/** Returns whether the verdict of a run may still change; lists are polled as long as it may. */
export function mayChange(run: {
  readonly status: string;
  readonly grades: RunGrades | null;
}): boolean {
  return run.status === 'running' || isGradingPending(run.grades ?? undefined);
}

/**
 * Returns whether a run, its grades or its judge are still in progress. The scorecard is loaded
 * after the run, so the run may look ended before its grades are complete.
 */
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

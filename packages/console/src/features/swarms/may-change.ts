import { isGradingPending, type RunGrades } from '@proofmark/domain';

/** Whether the verdict of the run may still change. Lists are polled until it cannot. */
export function mayChange(run: {
  readonly status: string;
  readonly grades: RunGrades | null;
}): boolean {
  return run.status === 'running' || isGradingPending(run.grades ?? undefined);
}

/**
 * Whether a run, its grades or its judge are in progress. The scorecard is loaded after the run, so
 * its grades can be incomplete although the run has ended.
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

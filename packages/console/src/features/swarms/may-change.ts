import { isGradingPending, type RunGrades } from '@proofmark/domain';

/**
 * Returns whether the verdict of a listed run may still change, so that the list must be polled.
 */
export function mayChange(run: {
  readonly status: string;
  readonly grades: RunGrades | null;
}): boolean {
  return run.status === 'running' || isGradingPending(run.grades ?? undefined);
}

/**
 * Returns true also for an ended run that waits for grades or its judge. The scorecard is read
 * after the run, so both must be final.
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

/**
 * The judge's scores for the goals of sessions, in words. They are advisory: only the graded
 * criteria decide the verdict.
 */
import { count, type GoalScore, grouped, type JudgedSessions, percent } from '@proofmark/domain';

export type ShownGoal = Pick<GoalScore, 'status' | 'score' | 'passed'>;

export function goalWord({ status, score, passed }: ShownGoal): string {
  if (status === 'pending') return 'to be judged';
  if (score === null || passed === null) return 'not judged';
  return `goal ${passed ? 'met' : 'not met'}, ${percent(score)}`;
}

export function judgedSentences(
  judged: Omit<JudgedSessions, 'pendingCount' | 'failedCount'> & {
    readonly pendingCount: number | null;
    readonly failedCount: number | null;
  },
): string[] {
  const { gradedCount, passedCount, avgScore, pendingCount, failedCount } = judged;
  const mean = avgScore === null ? '' : `; the mean score is ${percent(avgScore)}`;
  return [
    ...(gradedCount > 0
      ? [
          `The judge finds the goal met in ${grouped(passedCount)} of ${count(gradedCount, 'judged session')}${mean}.`,
        ]
      : []),
    ...((pendingCount ?? 0) > 0 ? [`${count(pendingCount ?? 0, 'session')} to be judged.`] : []),
    ...((failedCount ?? 0) > 0
      ? [
          `${count(failedCount ?? 0, 'session')} could not be judged, which says nothing about the server.`,
        ]
      : []),
    'It advises and decides nothing.',
  ];
}

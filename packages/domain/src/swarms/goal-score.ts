/**
 * A judge's score of a session. It is advisory: it never changes the session's result or a
 * scorecard.
 */
import type { JudgeEvidence } from '../chain/trial-evidence.ts';
import { judgePartialFloor } from '../judge/judge-bands.ts';
import type { SessionEvidence } from './session-evidence.ts';

export interface GoalScore {
  readonly status: 'pending' | 'completed' | 'failed';
  readonly score: number | null;
  readonly passed: boolean | null;
  readonly threshold: number;
  readonly reason: string | null;
  readonly judgeModel: string;
  readonly errorCode?: 'no_judge_model' | 'judge_failed';
}

export function scoredGoal(pending: GoalScore, score: number, reason: string | null): GoalScore {
  return { ...pending, status: 'completed', score, passed: score >= pending.threshold, reason };
}

export function failedGoal(
  pending: GoalScore,
  errorCode: NonNullable<GoalScore['errorCode']>,
): GoalScore {
  return { ...pending, status: 'failed', reason: reasons[errorCode], errorCode };
}

const reasons = {
  no_judge_model:
    'Only sessions of the scripted user can be judged by rules; name a model as the judge.',
  judge_failed: 'The judge could not be asked, or its answer did not have the required form.',
} as const;

export function judgeEvidenceOf(goalScore: GoalScore | null): JudgeEvidence | undefined {
  if (goalScore === null) return undefined;
  const { status, score, threshold, reason } = goalScore;
  if (status === 'pending') return { status };
  if (status === 'failed' || score === null) return { status: 'errored' };
  return {
    status: 'scored',
    score,
    threshold,
    partialFloor: judgePartialFloor,
    ...(reason !== null && { reason }),
  };
}

export function callsInOrder({
  turns,
  seen,
}: Pick<SessionEvidence, 'turns' | 'seen'>): { readonly failed: boolean }[] {
  const failed = new Set([
    ...seen.toolErrors.map(({ spanId }) => spanId),
    ...seen.spans.flatMap((span) => (span.status === 'error' ? span.id : [])),
  ]);
  const made = turns.flat().filter(({ notMade }) => notMade === undefined);
  return made.map(({ spanId }) => ({ failed: spanId !== undefined && failed.has(spanId) }));
}

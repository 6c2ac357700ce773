/**
 * Decides whether a session shows that its target is ready for users like the persona. If only the
 * judge's score is too low, a person should look at the session, but the target is not blamed.
 */
import type { Stage } from '../chain/vocabulary.ts';
import type { GradingStatus } from './scorecard.ts';
import type { SessionEndReason } from './session-evidence.ts';

export interface Readiness {
  readonly status: 'completed';
  readonly verdict: 'ready' | 'needs_attention' | 'not_ready';
  readonly issueCount: number;
}

export interface SessionToShip {
  readonly outcome: string;
  readonly gradingStatus: GradingStatus | null;
  readonly result: 'passed' | 'failed' | null;
  readonly criteria: readonly { readonly passed: boolean; readonly role?: string }[];
  readonly toolErrorCount: number;
  readonly endReason: SessionEndReason | null;
  readonly isJudgedBelow: boolean;
}

/** Returns null until the session was played and, if it has a rubric, graded. */
export function readinessOf(
  session: SessionToShip,
  { firstFailedStage }: { readonly firstFailedStage?: Stage | undefined },
): Readiness | null {
  const { outcome, gradingStatus, result, criteria, toolErrorCount, isJudgedBelow } = session;
  const isOpen = gradingStatus === 'pending' || gradingStatus === 'failed';
  if (outcome !== 'succeeded' || isOpen) return null;
  const isCapped = session.endReason === 'turnCap';
  const isByJudge = firstFailedStage === 'userValue' && isJudgedBelow;
  const hasFailed = result === 'failed' || (firstFailedStage !== undefined && !isByJudge);
  const isDoubtful = toolErrorCount > 0 || isCapped || isJudgedBelow;
  const failedGating = criteria.filter(({ passed, role }) => !passed && role === 'gating').length;
  return {
    status: 'completed',
    verdict: hasFailed ? 'not_ready' : isDoubtful ? 'needs_attention' : 'ready',
    issueCount: failedGating + toolErrorCount + (isCapped ? 1 : 0),
  };
}

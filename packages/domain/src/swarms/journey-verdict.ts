/**
 * The verdict of a journey run, from the gating criteria of its graded sessions. A conversation
 * that merely ended normally does not pass. While grades of sessions are missing, the run cannot
 * pass. A measured failure always counts, however the run ended.
 */
import type { SummaryVerdict } from '../verdict/verdict-source.ts';
import type { JourneyRunError, JourneyRunStatus } from './journey-run-status.ts';
import type { RunGrades } from './run-grades.ts';

export interface JourneyRunState {
  readonly status: JourneyRunStatus;
  readonly error?: JourneyRunError | undefined;
}

/** `grades` is undefined for a run without criteria. */
export function journeyVerdict(
  { status, error }: JourneyRunState,
  grades: RunGrades | undefined,
): SummaryVerdict {
  const gating = grades?.criteria.filter(({ role }) => role === 'gating') ?? [];
  const { sessionsTotal = 0, sessionsGraded = 0 } = grades ?? {};
  if (status === 'running' || gating.length === 0 || sessionsGraded === 0) return 'notEstablished';
  if (gating.some(({ failCount }) => failCount > 0)) return 'failed';
  if (error !== undefined) return 'notEstablished';
  return sessionsGraded === sessionsTotal ? 'passed' : 'inconclusive';
}

export function isGradingPending(card: RunGrades | undefined): boolean {
  return card?.criteria.some(({ pendingCount }) => pendingCount > 0) ?? false;
}

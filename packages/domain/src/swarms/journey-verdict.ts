/**
 * The verdict of a journey run on the servers, by its gating criteria over graded sessions. A
 * conversation that ended regularly proves nothing by itself. Ungraded sessions are in no count;
 * while some are missing, criteria that held in the others are no pass yet. A measured failure
 * stays, whatever ended the run.
 */
import type { SummaryVerdict } from '../verdict/verdict-source.ts';
import type { JourneyRunError, JourneyRunStatus } from './journey-run-status.ts';
import type { RunGrades } from './run-grades.ts';

export interface JourneyRunState {
  readonly status: JourneyRunStatus;
  /** The cause of an early end. */
  readonly error?: JourneyRunError | undefined;
}

/** Returns the verdict of a run; one without criteria has no grades. */
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

/** Whether sessions are still waiting for their grade. */
export function isGradingPending(card: RunGrades | undefined): boolean {
  return card?.criteria.some(({ pendingCount }) => pendingCount > 0) ?? false;
}

/**
 * What a run of a journey says of the servers, by its gating criteria over graded sessions. A conversation that ran to
 * its end says nothing by itself. Sessions that were not graded are in no count; where some are missing, criteria that
 * held in the others are not yet a pass. A failure that was measured stands, whatever ended the run.
 */
import type { SummaryVerdict } from '../verdict/verdict-source.ts';
import type { JourneyRunError, JourneyRunStatus } from './journey-run-status.ts';
import type { RunGrades } from './run-grades.ts';

export interface JourneyRunState {
  readonly status: JourneyRunStatus;
  /** What ended it before all its sessions had. */
  readonly error?: JourneyRunError | undefined;
}

/** Of a run without criteria there are no grades. */
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

/** Whether sessions still wait for their grade. */
export function isGradingPending(card: RunGrades | undefined): boolean {
  return card?.criteria.some(({ pendingCount }) => pendingCount > 0) ?? false;
}

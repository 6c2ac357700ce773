/**
 * The verdict of a journey run about the servers, from its gating criteria over graded sessions. A
 * conversation that ended normally shows nothing by itself. Ungraded sessions are not counted;
 * while some are missing, the run cannot pass, even if the graded ones met all criteria. A measured
 * failure counts, however the run ended.
 */
import type { SummaryVerdict } from '../verdict/verdict-source.ts';
import type { JourneyRunError, JourneyRunStatus } from './journey-run-status.ts';
import type { RunGrades } from './run-grades.ts';

export interface JourneyRunState {
  readonly status: JourneyRunStatus;
  /** Why the run ended early. */
  readonly error?: JourneyRunError | undefined;
}

/** Returns the verdict of a run. `grades` is undefined for a run without criteria. */
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

/**
 * What a run of a journey says of the servers, by its gating criteria over graded sessions. A conversation that ran to
 * its end says nothing by itself. Sessions that were not graded are in no count; where some are missing, criteria that
 * held in the others are not yet a pass.
 */
import type { SummaryVerdict } from '../verdict/verdict-source.ts';
import type { JourneyRunError, JourneyRunStatus } from './journey-run-status.ts';
import type { Scorecard } from './scorecard.ts';

export interface JourneyRunState {
  readonly status: JourneyRunStatus;
  /** What ended it before all its sessions had. */
  readonly error?: JourneyRunError | undefined;
}

/** What decides, counted. */
export interface DecidingCounts {
  readonly gatingCriteria: number;
  readonly sessionsTotal: number;
  readonly sessionsGraded: number;
  /** Whether one of the graded ones failed a gating criterion. */
  readonly hasFailed: boolean;
}

/** Of a run without criteria there is no scorecard. */
export function journeyVerdict(run: JourneyRunState, card: Scorecard | undefined): SummaryVerdict {
  const gating = card?.criteria.filter(({ role }) => role === 'gating') ?? [];
  const { sessionsTotal = 0, sessionsGraded = 0 } = card ?? {};
  const hasFailed = gating.some(({ failCount }) => failCount > 0);
  const counts = { gatingCriteria: gating.length, sessionsTotal, sessionsGraded, hasFailed };
  return verdictOfCounts(run, counts);
}

export function verdictOfCounts(
  { status, error }: JourneyRunState,
  { gatingCriteria, sessionsTotal, sessionsGraded, hasFailed }: DecidingCounts,
): SummaryVerdict {
  const isEnded = status !== 'running' && error === undefined;
  if (!isEnded || gatingCriteria === 0 || sessionsGraded === 0) return 'notEstablished';
  if (hasFailed) return 'failed';
  return sessionsGraded === sessionsTotal ? 'passed' : 'inconclusive';
}

/** Whether sessions still wait for their grade. */
export function isGradingPending(card: Scorecard | undefined): boolean {
  return card?.criteria.some(({ pendingCount }) => pendingCount > 0) ?? false;
}

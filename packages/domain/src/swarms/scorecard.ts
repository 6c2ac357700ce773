/**
 * The scorecard of a run: counts of stored grades. Only sessions that were played to their end are
 * graded, and every rate divides by their number. If two graded sessions on a target have the same
 * transcript, rates have no interval, since equal transcripts are no additional evidence.
 */
import { confidence, type Interval, wilsonInterval } from '../verdict/wilson-interval.ts';
import { type FailReason, failReasonsOf } from './fail-reasons.ts';

export type GradingStatus = 'pending' | 'completed' | 'failed';

export interface CountedSession {
  /** Null or absent if the session was not begun. */
  readonly sessionId?: string | null;
  readonly targetId: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly begun: number;
  /** The status of grading; null if the session was not played to its end, or without a rubric. */
  readonly grading: GradingStatus | null;
  readonly criteria: readonly CriterionGrade[];
  readonly transcriptHash: string | null;
}

export interface CriterionGrade {
  readonly criterionId: string;
  readonly passed: boolean;
  readonly reason: string;
}

export interface CountedCriterion {
  readonly id: string;
  readonly label: string | null;
  readonly predicate: { readonly type: string };
  readonly role: 'gating' | 'advisory';
}

export interface CriterionCounts {
  readonly id: string;
  readonly label: string | null;
  readonly kind: string;
  readonly role: 'gating' | 'advisory';
  readonly passCount: number;
  readonly failCount: number;
  readonly pendingCount: number;
  readonly failedGradingCount: number;
  readonly failRate: number | null;
  readonly interval: (Interval & { readonly confidence: number }) | null;
  readonly failReasons: readonly FailReason[];
}

/**
 * Returns the share of graded sessions in which a criterion held; undefined without a graded
 * session. Every displayed rate must come from this function.
 */
export function heldRateOf({
  failRate,
  interval,
}: Pick<CriterionCounts, 'failRate' | 'interval'>):
  | { readonly rate: number; readonly interval: Interval | undefined }
  | undefined {
  if (failRate === null) return undefined;
  const held = interval && { lower: 1 - interval.upper, upper: 1 - interval.lower };
  return { rate: 1 - failRate, interval: held ?? undefined };
}

export const ungradedReasons = [
  'provider',
  'setup',
  'policy',
  'canceled',
  'timedOut',
  'credits',
  'ours',
  'unplayed',
] as const;
export type UngradedReason = (typeof ungradedReasons)[number];

export interface UngradedCounts {
  readonly ungraded: Readonly<Record<UngradedReason, number>>;
  /**
   * The number of sessions in `ungraded.ours` in which the simulated user gave no usable answer.
   */
  readonly simulatedUserFailedCount: number;
  /** The number of sessions in `ungraded.unplayed` that are waiting or running. */
  readonly notEndedCount: number;
}

export interface Scorecard extends UngradedCounts {
  readonly criteria: readonly CriterionCounts[];
  readonly sessionsTotal: number;
  readonly sessionsGraded: number;
  readonly distinctTranscripts: number;
}

export function scorecardOf(
  rubric: readonly CountedCriterion[],
  sessions: readonly CountedSession[],
): Scorecard {
  const graded = sessions.filter(({ grading }) => grading === 'completed');
  const countOf = (status: GradingStatus) =>
    sessions.filter(({ grading }) => grading === status).length;
  const [pendingCount, failedGradingCount] = [countOf('pending'), countOf('failed')];
  const distinctTranscripts = distinctOf(graded).length;
  const hasCopies = distinctTranscripts < graded.length;
  return {
    criteria: rubric.map(({ id, label, predicate, role }) => {
      const passCount = graded.filter((session) => isMet(session, id)).length;
      const failCount = graded.length - passCount;
      const interval = hasCopies ? null : wilsonInterval(failCount, graded.length);
      return {
        id,
        label,
        kind: predicate.type,
        role,
        passCount,
        failCount,
        pendingCount,
        failedGradingCount,
        failRate: graded.length === 0 ? null : failCount / graded.length,
        interval: interval && { confidence, ...interval },
        failReasons: failReasonsOf(graded, id),
      };
    }),
    sessionsTotal: sessions.length,
    sessionsGraded: graded.length,
    distinctTranscripts,
    ...countUngraded(
      sessions.filter(({ grading }) => grading === null).map((one) => ({ ...one, sessions: 1 })),
    ),
  };
}

/** A criterion without a grade counts as failed, so that a gap never passes. */
function isMet({ criteria }: CountedSession, id: string): boolean {
  return criteria.some(({ criterionId, passed }) => criterionId === id && passed);
}

/**
 * Leaves out sessions whose transcript equals that of an earlier session on the same target. A
 * session without a known transcript always stays.
 */
export function distinctOf<Session extends Pick<CountedSession, 'targetId' | 'transcriptHash'>>(
  sessions: readonly Session[],
): Session[] {
  const seen = new Set<string>();
  return sessions.filter(({ targetId, transcriptHash }) => {
    if (transcriptHash === null) return true;
    const key = JSON.stringify([targetId, transcriptHash]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

export interface UngradedSessions extends Pick<CountedSession, 'status' | 'begun' | 'errorCode'> {
  readonly sessions: number;
}

export function countUngraded(alike: readonly UngradedSessions[]): UngradedCounts {
  const ungraded = Object.fromEntries(ungradedReasons.map((reason) => [reason, 0])) as Record<
    UngradedReason,
    number
  >;
  let [simulatedUserFailedCount, notEndedCount] = [0, 0];
  for (const one of alike) {
    const reason = ungradedReasonOf(one);
    ungraded[reason] += one.sessions;
    if (isOpen(one)) notEndedCount += one.sessions;
    else if (reason === 'ours' && one.errorCode === 'persona_driver_failed') {
      simulatedUserFailedCount += one.sessions;
    }
  }
  return { ungraded, simulatedUserFailedCount, notEndedCount };
}

function isOpen({ status }: Pick<CountedSession, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/**
 * A session that has not ended counts as `unplayed`, and an unknown error code counts as `ours`.
 */
export function ungradedReasonOf({
  status,
  begun,
  errorCode,
}: Pick<CountedSession, 'status' | 'begun' | 'errorCode'>): UngradedReason {
  if (begun === 0 || isOpen({ status })) return 'unplayed';
  return reasonsOfCodes.get(errorCode ?? '') ?? 'ours';
}

const reasonsOfCodes: ReadonlyMap<string, UngradedReason> = new Map([
  ['provider_failed', 'provider'],
  ['rate_limited', 'provider'],
  ['server_unreachable', 'setup'],
  ['oauth_required', 'setup'],
  ['blocked_by_policy', 'policy'],
  ['canceled', 'canceled'],
  ['session_timeout', 'timedOut'],
  ['run_timeout', 'timedOut'],
  ['spend_cap_exceeded', 'credits'],
]);

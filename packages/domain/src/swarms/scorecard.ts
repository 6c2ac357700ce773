/**
 * The scorecard of a run: stored grades, counted. Only sessions that were played to their end are graded, so every rate
 * divides by those; what a provider, a set-up, a policy, the clock, a cancel or we ourselves ended stands apart, and
 * with no graded session there is no rate. Copies are no evidence: where two graded sessions of a target have the same
 * transcript, a rate has no interval.
 */
import { confidence, type Interval, wilsonInterval } from '../verdict/wilson-interval.ts';

export type GradingStatus = 'pending' | 'completed' | 'failed';

/** One session of a run from the launch on, begun or not. */
export interface CountedSession {
  readonly targetId: string;
  readonly status: string;
  /** Why it failed, by its closed word. */
  readonly errorCode: string | null;
  /** How often it was begun. */
  readonly begun: number;
  /** Null where it was not played to its end, or there is no rubric. */
  readonly grading: GradingStatus | null;
  /** Of a completed grading. */
  readonly criteria: readonly CriterionGrade[];
  readonly transcriptHash: string | null;
}

export interface CriterionGrade {
  readonly criterionId: string;
  readonly passed: boolean;
  readonly reason: string;
}

/** A criterion of the snapshot, as far as it is counted. */
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

/** What was not graded of a run, and whose doing it was. */
export interface UngradedCounts {
  readonly ungraded: Readonly<Record<UngradedReason, number>>;
  /** Of `ungraded.ours`: the simulated user gave no usable answer. */
  readonly simulatedUserFailedCount: number;
  /** Of `ungraded.unplayed`: they wait, or go on. */
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

/** A criterion that a completed grading says nothing about is not met: grading fails closed. */
function isMet({ criteria }: CountedSession, id: string): boolean {
  return criteria.some(({ criterionId, passed }) => criterionId === id && passed);
}

/** Of sessions of one target with equal transcripts the first; one whose transcript is not known is like no other. */
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

/** Sessions without a grade that ended alike, or have not ended. */
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

/** One that has not ended yet was not played either. What we have no word for is ours. */
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

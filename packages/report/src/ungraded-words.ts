/**
 * Explains why sessions have no grade. Failures of the simulated user and sessions in progress are
 * listed separately: the former are no fault of server or assistant, and the latter have not
 * failed.
 */
import {
  type CountedSession,
  count,
  grouped,
  type Scorecard,
  scorecardOf,
  type UngradedReason,
  ungradedReasons,
} from '@proofmark/domain';

type Ungraded = Pick<Scorecard, 'ungraded' | 'simulatedUserFailedCount' | 'notEndedCount'>;

type GradingOfCriterion = Pick<
  Scorecard['criteria'][number],
  'pendingCount' | 'failedGradingCount'
>;

export const ungradedWords: Readonly<Record<UngradedReason, string>> = {
  provider: 'the model provider of the assistant failed or limited the requests',
  setup: 'a server could not be opened or used',
  policy: 'a call was not allowed',
  canceled: 'canceled',
  timedOut: 'out of time',
  credits: 'the credits were used up',
  ours: 'Proofmark itself failed or could not serve a tool',
  unplayed: 'never begun',
};

/** Excludes failures of the simulated user and sessions in progress. */
export function otherUngraded({
  ungraded,
  simulatedUserFailedCount,
  notEndedCount,
}: Ungraded): Scorecard['ungraded'] {
  return {
    ...ungraded,
    ours: ungraded.ours - simulatedUserFailedCount,
    unplayed: ungraded.unplayed - notEndedCount,
  };
}

/**
 * Example: "the simulated user failed", or with counts for several causes: "2: canceled; 1: never
 * begun".
 */
export function whyUngraded(
  card: Ungraded & { readonly criteria?: readonly GradingOfCriterion[] },
): string {
  const { simulatedUserFailedCount, notEndedCount, criteria = [] } = card;
  const others = otherUngraded(card);
  const [first] = criteria;
  const reasons = [
    [simulatedUserFailedCount, 'the simulated user failed'],
    [notEndedCount, 'not ended yet'],
    [first?.pendingCount ?? 0, 'to be graded'],
    [first?.failedGradingCount ?? 0, 'the grading failed'],
    ...ungradedReasons.map((why) => [others[why], ungradedWords[why]] as const),
  ] as const;
  const occurring = reasons.filter(([number]) => number > 0);
  const [only, ...more] = occurring;
  if (more.length === 0) return only?.[1] ?? '';
  return occurring.map(([number, why]) => `${grouped(number)}: ${why}`).join('; ');
}

export type SessionAttempt = Pick<CountedSession, 'status' | 'errorCode' | 'begun' | 'targetId'>;

/** Example: "2 of 3 sessions played to their end (the simulated user failed)." */
export function playedAndWhyNot(attempts: readonly SessionAttempt[]): string {
  const open = attempts.filter(({ status }) => status !== 'succeeded');
  const notGraded = { grading: null, criteria: [], transcriptHash: null };
  const why = whyUngraded(
    scorecardOf(
      [],
      open.map((attempt) => ({ ...attempt, ...notGraded })),
    ),
  );
  const played = attempts.length - open.length;
  const sentence = `${grouped(played)} of ${count(attempts.length, 'session')} played to their end`;
  return `${sentence}${inBrackets(why)}.`;
}

export function inBrackets(words: string): string {
  return words === '' ? '' : ` (${words})`;
}

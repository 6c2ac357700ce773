/**
 * Determines the cause that ended a session early. Such a session is excluded from every rate,
 * whatever the cause.
 */
import { type UngradedReason, ungradedReasonOf } from '@proofmark/domain';

export type SessionEndDoer = Exclude<UngradedReason, 'unplayed'> | 'simulatedUser';

/**
 * Returns undefined if the session was played to its end or is in progress. A session that never
 * began has
 * the same possible causes as one that broke off.
 */
export function doerOfSessionEnd(attempt: {
  readonly status: string;
  readonly errorCode: string | null;
}): SessionEndDoer | undefined {
  const { status, errorCode } = attempt;
  if (status !== 'failed' && status !== 'rate_limited') return undefined;
  if (errorCode === 'persona_driver_failed') return 'simulatedUser';
  const reason = ungradedReasonOf({ status, errorCode, begun: 1 });
  return reason === 'unplayed' ? undefined : reason;
}

/** Shown after "not played:". */
export const sessionEndWords: Readonly<Record<SessionEndDoer, string>> = {
  provider: 'model provider',
  setup: 'set-up',
  policy: 'policy',
  canceled: 'canceled',
  timedOut: 'out of time',
  credits: 'out of credits',
  simulatedUser: 'simulated user',
  ours: 'Proofmark',
};

const doers: Readonly<Record<SessionEndDoer, string>> = {
  provider: 'the provider of the model that plays the assistant',
  setup: 'the set-up: a server of the target, its address or its credentials',
  policy: 'a policy: the client or the environment did not allow a call',
  canceled: 'the person who canceled the run',
  timedOut: 'the clock',
  credits: 'the limit of credits of the organization',
  simulatedUser: 'the model that plays the user, not the server',
  ours: 'Proofmark itself, not the server',
};

export function doingSentence(doer: SessionEndDoer): string {
  return `Not graded, and not counted in any rate. Cause: ${doers[doer]}.`;
}

/**
 * The outcome of a conversation, by one rule for visitors and simulated users: from the results of
 * tools, the last answer and the rating. There is no reference, so no outcome claims that an answer
 * was correct.
 */
import { saysNoToolFits } from '../swarms/scripted-user.ts';
import type { SessionEvidence } from '../swarms/session-evidence.ts';
import { madeCallsOf } from './visit-evidence.ts';

export const sessionOutcomes = [
  'errored',
  'unresolved',
  'partial',
  'completed',
  'unclear',
] as const;
export type SessionOutcome = (typeof sessionOutcomes)[number];

export interface SessionToTell {
  /** Whether each call failed, in order. */
  readonly calls: readonly { readonly hasFailed: boolean }[];
  /** A server required a sign-in, and the visitor sent nothing more. */
  readonly authInterrupted: boolean;
  /** The last text of the assistant, or an empty one. */
  readonly lastAnswer: string;
  /** The lowest rating; null without one. */
  readonly rating: number | null;
}

/** A rating from the first on is good, and up to the second bad. */
export const [goodRating, badRating] = [4, 2];

export function outcomeOfSession(session: SessionToTell): SessionOutcome {
  const { calls, authInterrupted, lastAnswer, rating } = session;
  if (calls.at(-1)?.hasFailed === true) return 'errored';
  if (authInterrupted || saysNoToolFits(lastAnswer)) return 'unresolved';
  // The last call did not fail, so a call after each failure succeeded.
  if (calls.some(({ hasFailed }) => hasFailed)) return 'partial';
  if (calls.length > 0 || (rating ?? 0) >= goodRating) return 'completed';
  return 'unclear';
}

export function outcomeOfEvidence(
  evidence: SessionEvidence | undefined,
  { authInterrupted, rating }: Pick<SessionToTell, 'authInterrupted' | 'rating'>,
): SessionOutcome {
  return outcomeOfSession({
    calls: evidence === undefined ? [] : madeCallsOf(evidence),
    lastAnswer: evidence?.transcript.finalAssistantMessage ?? '',
    authInterrupted,
    rating,
  });
}

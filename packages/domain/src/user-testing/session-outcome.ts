/**
 * What became of a conversation, by one rule for visitors and for simulated users: from what tools did, what the last
 * answer says and how it was rated. Nobody said what would have been right, so nothing here says that it was.
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
  /** Whether each call failed, in their order. */
  readonly calls: readonly { readonly hasFailed: boolean }[];
  /** A server demanded to sign in, and the visitor said nothing more. */
  readonly authInterrupted: boolean;
  /** The last text of the assistant; empty where there is none. */
  readonly lastAnswer: string;
  /** The lowest; null where nobody rated. */
  readonly rating: number | null;
}

/** From these ratings on a session is liked, and up to these it is not. */
export const [goodRating, badRating] = [4, 2];

export function outcomeOfSession(session: SessionToTell): SessionOutcome {
  const { calls, authInterrupted, lastAnswer, rating } = session;
  if (calls.at(-1)?.hasFailed === true) return 'errored';
  if (authInterrupted || saysNoToolFits(lastAnswer)) return 'unresolved';
  // The last one did not fail, so that whatever failed was followed by one that succeeded.
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

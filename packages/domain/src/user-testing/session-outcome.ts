/**
 * Decides the outcome of a conversation from the results of tools, the last answer and the rating,
 * by the same rule for visitors and simulated users. No outcome claims that an answer was correct,
 * since there is no correct answer to compare with.
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
  readonly calls: readonly { readonly hasFailed: boolean }[];
  /** Whether a server required a sign-in and the visitor sent nothing after that. */
  readonly authInterrupted: boolean;
  /** The assistant's last text; empty if there is none. */
  readonly lastAnswer: string;
  /** The lowest rating of the session; null if it was not rated. */
  readonly rating: number | null;
}

/** A rating of at least 4 is good, and one of at most 2 is bad. */
export const [goodRating, badRating] = [4, 2];

export function outcomeOfSession(session: SessionToTell): SessionOutcome {
  const { calls, authInterrupted, lastAnswer, rating } = session;
  if (calls.at(-1)?.hasFailed === true) return 'errored';
  if (authInterrupted || saysNoToolFits(lastAnswer)) return 'unresolved';
  // The last call did not fail, so the session recovered from earlier failures.
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

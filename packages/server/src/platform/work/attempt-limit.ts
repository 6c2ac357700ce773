/**
 * One bound on attempts. What an attempt costs is counted with the work itself since it last made progress: a whole one
 * where the worker died or failed, a fifth where it was interrupted. So no work is begun endlessly, and none is given up
 * for a few restarts.
 */
import { type ClaimedWork, costOfAttempt } from './store/leased-work.ts';

export const mostAttempts = 4;

const allOfThem = mostAttempts * costOfAttempt;

/** Whether there is no attempt left: the work must be settled without being tried again. */
export function isSpent({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): boolean {
  return attemptCost > allOfThem;
}

/** Whether no attempt is left after this one. */
export function isLastAttempt({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): boolean {
  return attemptCost > allOfThem - costOfAttempt;
}

/** How long to wait after this attempt failed. */
export function pauseAfter({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): number {
  return 200 * 2 ** Math.min(mostAttempts, Math.ceil(attemptCost / costOfAttempt));
}

/** How often the work was tried, in words, once it is spent. */
export function attemptsInWords({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): string {
  const wasInterrupted = attemptCost % costOfAttempt !== 0;
  return wasInterrupted ? `more than ${mostAttempts} times` : `${mostAttempts} times`;
}

/**
 * The limit on attempts. Each attempt adds a cost to the work, which progress resets: a whole
 * attempt if the worker died or failed, a fifth if the attempt was interrupted. So no work is
 * retried forever, and none is given up after a few restarts.
 */
import { type ClaimedWork, costOfAttempt } from './store/leased-work.ts';

export const mostAttempts = 4;

const allOfThem = mostAttempts * costOfAttempt;

/** Returns whether no attempt is left. The work must then be settled without a further attempt. */
export function isSpent({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): boolean {
  return attemptCost > allOfThem;
}

export function isLastAttempt({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): boolean {
  return attemptCost > allOfThem - costOfAttempt;
}

export function pauseAfter({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): number {
  return 200 * 2 ** Math.min(mostAttempts, Math.ceil(attemptCost / costOfAttempt));
}

export function attemptsInWords({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): string {
  const wasInterrupted = attemptCost % costOfAttempt !== 0;
  return wasInterrupted ? `more than ${mostAttempts} times` : `${mostAttempts} times`;
}

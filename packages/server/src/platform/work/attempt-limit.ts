/**
 * The limit on attempts. An attempt costs a whole unit if the worker died or failed, and a fifth if
 * it was interrupted; progress resets the cost. So no work is retried forever, and none is given up
 * after a few restarts.
 */
import { type ClaimedWork, costOfAttempt } from './store/leased-work.ts';

export const mostAttempts = 4;

const allOfThem = mostAttempts * costOfAttempt;

/** Returns whether no attempt is left. The work must then be ended without a further attempt. */
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

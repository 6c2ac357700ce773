/**
 * The limit on attempts. The cost of attempts is counted with the work since its last progress: a
 * whole attempt if the worker died or failed, a fifth if it was interrupted. So no work is retried
 * forever, and none is given up after a few restarts.
 */
import { type ClaimedWork, costOfAttempt } from './store/leased-work.ts';

export const mostAttempts = 4;

const allOfThem = mostAttempts * costOfAttempt;

/** Returns whether no attempt is left. The work must then be settled without another try. */
export function isSpent({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): boolean {
  return attemptCost > allOfThem;
}

/** Returns whether no attempt is left after this one. */
export function isLastAttempt({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): boolean {
  return attemptCost > allOfThem - costOfAttempt;
}

/** Returns the milliseconds to wait after this attempt failed. */
export function pauseAfter({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): number {
  return 200 * 2 ** Math.min(mostAttempts, Math.ceil(attemptCost / costOfAttempt));
}

/** Returns in words how many attempts were made at work that has none left. */
export function attemptsInWords({ attemptCost }: Pick<ClaimedWork, 'attemptCost'>): string {
  const wasInterrupted = attemptCost % costOfAttempt !== 0;
  return wasInterrupted ? `more than ${mostAttempts} times` : `${mostAttempts} times`;
}

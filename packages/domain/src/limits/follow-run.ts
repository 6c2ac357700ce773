/**
 * How a run that goes on is followed. Its status is told at once; how far it has come at first every second, then a
 * little less often each time, at last every five seconds: who follows reads more of the run at every word.
 */
import type { Refusal } from '../kernel/refusal.ts';

const firstDelayMs = 1_000;
const longestDelayMs = 5_000;

export function pollDelayMs(timesAsked: number): number {
  return Math.min(longestDelayMs, Math.round(firstDelayMs * 1.04 ** timesAsked));
}

export const followBounds = {
  /** The service looks this often for each who follows. */
  lookEveryMs: 1_000,
  /** Where nothing changes, what is so is told again, so that nobody between takes the connection for dead. */
  repeatAfterMs: 15_000,
  /** After so long who follows comes again, and is let in again. */
  longestMs: 60_000,
  /** By one account at once, in one process. */
  atOnce: 20,
} as const;

/** What of a run tells that it has changed. */
export interface RunMark {
  readonly status: string;
  readonly iterationCount: number;
  readonly revision: number;
}

export interface ToldMark {
  readonly mark: RunMark;
  readonly times: number;
  readonly agoMs: number;
}

export function isWorthTelling(now: RunMark, told: ToldMark | undefined): boolean {
  if (told === undefined || told.mark.status !== now.status) return true;
  if (told.agoMs >= followBounds.repeatAfterMs) return true;
  return told.mark.revision !== now.revision && told.agoMs >= pollDelayMs(told.times - 1);
}

export const tooManyFollow: Refusal = {
  code: 'RATE_LIMITED',
  message: 'Too many runs are followed at once by this account; read the run instead.',
  details: { reason: 'CONCURRENT_FOLLOWERS', limit: followBounds.atOnce },
};

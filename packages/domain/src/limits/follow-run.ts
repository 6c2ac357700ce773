/**
 * The rules by which clients follow a run. A new status is sent at once. Progress is sent every
 * second at first and finally every five seconds, because a follower reads more of the run after
 * each message.
 */
import type { Refusal } from '../kernel/refusal.ts';

const firstDelayMs = 1_000;
const longestDelayMs = 5_000;

export function pollDelayMs(timesAsked: number): number {
  return Math.min(longestDelayMs, Math.round(firstDelayMs * 1.04 ** timesAsked));
}

export const followBounds = {
  /** The interval in milliseconds at which the service checks the run for each follower. */
  lookEveryMs: 1_000,
  /**
   * The time in milliseconds after which an unchanged state is sent again, so that proxies keep the
   * connection open.
   */
  repeatAfterMs: 15_000,
  /**
   * The maximum duration in milliseconds of one connection. The follower must then reconnect, so
   * that its rights are checked again.
   */
  longestMs: 60_000,
  /** The maximum number of concurrent followers for one account in one process. */
  atOnce: 20,
} as const;

export interface RunMark {
  readonly status: string;
  readonly iterationCount: number;
  readonly revision: number;
}

export interface ReportedMark {
  readonly mark: RunMark;
  readonly times: number;
  readonly agoMs: number;
}

export function isWorthTelling(now: RunMark, reported: ReportedMark | undefined): boolean {
  if (reported === undefined || reported.mark.status !== now.status) return true;
  if (reported.agoMs >= followBounds.repeatAfterMs) return true;
  return (
    reported.mark.revision !== now.revision && reported.agoMs >= pollDelayMs(reported.times - 1)
  );
}

export const tooManyFollow: Refusal = {
  code: 'RATE_LIMITED',
  message: 'This account already follows too many runs at once; read the run instead.',
  details: { reason: 'CONCURRENT_FOLLOWERS', limit: followBounds.atOnce },
};

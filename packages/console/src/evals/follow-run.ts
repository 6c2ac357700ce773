/**
 * How a run that goes on is followed: at first every second, then a little less often each time, at last every five
 * seconds.
 */
import { terminalRunStatuses } from '@proofmark/domain';

const firstDelayMs = 1_000;
const longestDelayMs = 5_000;

export function isRunEnded(status: string): boolean {
  return (terminalRunStatuses as readonly string[]).includes(status);
}

/** Nobody knows yet what comes of it. */
export function isTrialOpen(status: string): boolean {
  return status === 'pending' || status === 'running';
}

export function pollDelayMs(timesAsked: number): number {
  return Math.min(longestDelayMs, Math.round(firstDelayMs * 1.04 ** timesAsked));
}

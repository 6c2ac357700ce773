/**
 * How a run that goes on is followed: at first every second, then a little less often each time, at last every five
 * seconds. Of a run of our own every trial has its row from the start, so what is still to come is not shown as a trial
 * that did not pass.
 */
import { type DecisionDiagnostic, terminalRunStatuses } from '@proofmark/domain';

const firstDelayMs = 1_000;
const longestDelayMs = 5_000;

export function hasEnded(status: string): boolean {
  return (terminalRunStatuses as readonly string[]).includes(status);
}

export function pollDelayMs(timesAsked: number): number {
  return Math.min(longestDelayMs, Math.round(firstDelayMs * 1.04 ** timesAsked));
}

export function endedTrials(trials: readonly DecisionDiagnostic[]): DecisionDiagnostic[] {
  return trials.filter(({ status }) => status !== 'pending' && status !== 'running');
}

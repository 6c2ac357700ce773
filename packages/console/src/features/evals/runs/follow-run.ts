import type { EvalRun } from '@proofmark/contract';
import { terminalRunStatuses } from '@proofmark/domain';

export function isRunEnded(status: string): boolean {
  return (terminalRunStatuses as readonly string[]).includes(status);
}

export function isTrialOpen(status: string): boolean {
  return status === 'pending' || status === 'running';
}

/**
 * Whether the page of a run shows its parts folded. By the expected number of trials too, so that
 * the page does not change its layout while the run grows.
 */
export function isLongRun(run: Pick<EvalRun, 'iterationCount' | 'expectedIterations'>): boolean {
  return Math.max(run.iterationCount, run.expectedIterations ?? 0) > mostTrialsUnfolded;
}

const mostTrialsUnfolded = 500;

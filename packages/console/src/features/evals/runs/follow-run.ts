import { terminalRunStatuses } from '@proofmark/domain';

export function isRunEnded(status: string): boolean {
  return (terminalRunStatuses as readonly string[]).includes(status);
}

/** Returns whether the trial has not ended yet. */
export function isTrialOpen(status: string): boolean {
  return status === 'pending' || status === 'running';
}

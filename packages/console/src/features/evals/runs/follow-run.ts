import { terminalRunStatuses } from '@proofmark/domain';

export function isRunEnded(status: string): boolean {
  return (terminalRunStatuses as readonly string[]).includes(status);
}

/** Returns true while the result of the trial is open. */
export function isTrialOpen(status: string): boolean {
  return status === 'pending' || status === 'running';
}

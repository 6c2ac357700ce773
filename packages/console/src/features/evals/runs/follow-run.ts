import { terminalRunStatuses } from '@proofmark/domain';

export function isRunEnded(status: string): boolean {
  return (terminalRunStatuses as readonly string[]).includes(status);
}

/** Nobody knows yet what comes of it. */
export function isTrialOpen(status: string): boolean {
  return status === 'pending' || status === 'running';
}

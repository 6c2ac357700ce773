import { terminalRunStatuses } from '@proofmark/domain';

export function isRunEnded(status: string): boolean {
  return (terminalRunStatuses as readonly string[]).includes(status);
}

export function isTrialOpen(status: string): boolean {
  return status === 'pending' || status === 'running';
}

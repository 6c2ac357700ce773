import type { Refusal } from '@proofmark/domain';

export function hasEndedOtherwise(status: string): Refusal {
  return {
    code: 'CONFLICT',
    message: 'This run has already ended, so it cannot be cancelled.',
    details: { reason: 'RUN_ENDED', status },
  };
}

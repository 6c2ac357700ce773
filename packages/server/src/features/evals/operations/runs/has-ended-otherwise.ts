import type { Refusal } from '@proofmark/domain';

/** Returns the refusal of a cancel request for a run that has already ended. */
export function hasEndedOtherwise(status: string): Refusal {
  return {
    code: 'CONFLICT',
    message: 'This run has ended already; there is nothing left to cancel.',
    details: { reason: 'RUN_ENDED', status },
  };
}

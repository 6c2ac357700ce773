import type { Refusal } from '@proofmark/domain';

/** Of a run that is to be cancelled. */
export function hasEndedOtherwise(status: string): Refusal {
  return {
    code: 'CONFLICT',
    message: 'This run has ended already; there is nothing left to cancel.',
    details: { reason: 'RUN_ENDED', status },
  };
}

/**
 * Maps a provider's failure during a request of the service to a refusal. The message quotes
 * nothing that the provider sent.
 */
import type { Refusal } from '@proofmark/domain';
import { ModelFailure } from '../../../outside/model/model-failure.ts';
import { refuse } from '../../../platform/operations/action.ts';

export async function modelFailureError<Result>(
  asked: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (signal.aborted && error === signal.reason) {
      refuse({ code: 'TIMEOUT', message: 'The caller disconnected before the model answered.' });
    }
    if (!(error instanceof ModelFailure)) throw error;
    return refuse(modelRefusal(error));
  }
}

function modelRefusal({ reason, message }: ModelFailure): Refusal {
  const code = reason === 'RATE_LIMITED' ? 'RATE_LIMITED' : 'INTERNAL_ERROR';
  return { code, message, details: { reason: `MODEL_${reason}` } };
}

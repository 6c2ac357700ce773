/** What a call used, as far as it is known. */
import type { StepUsage } from '@proofmark/domain';
import { ModelFailure } from '../../outside/model/model-failure.ts';
import type { ModelReply } from '../../outside/model/model-gateway.ts';

export function usageOfReply({ usage }: Pick<ModelReply, 'usage'>): StepUsage {
  const { inputTokens = null, outputTokens = null } = usage;
  return { inputTokens, outputTokens };
}

/** A call that was refused used nothing. One that nobody waited for any more, or could read, may have cost something. */
export function usageOfFailure(error: unknown): StepUsage {
  const isRefused =
    error instanceof ModelFailure &&
    error.reason !== 'TIMEOUT' &&
    error.reason !== 'INVALID_RESPONSE';
  return isRefused ? { inputTokens: 0, outputTokens: 0 } : unknownUsage;
}

export const unknownUsage: StepUsage = { inputTokens: null, outputTokens: null };

/** Whether a call that failed was never sent: it waited for its turn when it was given up. A provider that failed was asked. */
export function isUnsent(isWaiting: boolean, error: unknown): boolean {
  return isWaiting && !(error instanceof ModelFailure);
}

import type { StepUsage } from '@proofmark/domain';
import { ModelFailure } from '../../outside/model/model-failure.ts';
import type { ModelReply } from '../../outside/model/model-gateway.ts';

export function usageOfReply({ usage }: Pick<ModelReply, 'usage'>): StepUsage {
  const { inputTokens = null, outputTokens = null } = usage;
  return { inputTokens, outputTokens };
}

/**
 * Returns the tokens of a failed call: zero if the provider rejected it. They are unknown (null)
 * for an aborted or unreadable call, which may have cost something.
 */
export function usageOfFailure(error: unknown): StepUsage {
  const isRefused =
    error instanceof ModelFailure &&
    error.reason !== 'TIMEOUT' &&
    error.reason !== 'INVALID_RESPONSE';
  return isRefused ? { inputTokens: 0, outputTokens: 0 } : unknownUsage;
}

export const unknownUsage: StepUsage = { inputTokens: null, outputTokens: null };

/**
 * Returns whether a failed call was never sent, because it was aborted while it waited for its
 * turn. A failure of the provider means that the call was sent.
 */
export function isUnsent(isWaiting: boolean, error: unknown): boolean {
  return isWaiting && !(error instanceof ModelFailure);
}

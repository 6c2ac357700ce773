import { assertionKind, assertionSchema, positiveCount } from './assertion-kind.ts';
import type { TokenUsage } from './transcript.ts';

/** Holds if fewer tokens than `tokens` were used. Fails if the usage was not measured. */
export const tokenBudgetUnder = assertionKind({
  stage: 'userValue',
  inTurn: 'never',
  schema: assertionSchema('tokenBudgetUnder', { tokens: positiveCount }),
  evaluate({ tokens }, { usage }) {
    const total = usage === undefined ? undefined : totalTokens(usage);
    if (total === undefined) return { passed: false, reason: 'Token usage was not measured.' };
    return {
      passed: total < tokens,
      reason: `${total} ${total === 1 ? 'token' : 'tokens'} used; the number must be below ${tokens}.`,
    };
  },
});

/**
 * Returns the reported total or the sum of input and output, whichever is larger. Undefined if
 * neither the total nor both parts are known, or if any value is no valid count.
 */
function totalTokens({ inputTokens, outputTokens, totalTokens }: TokenUsage): number | undefined {
  const stated = [inputTokens, outputTokens, totalTokens].filter((count) => count !== undefined);
  if (!stated.every((count) => Number.isSafeInteger(count) && count >= 0)) return undefined;
  if (totalTokens !== undefined) {
    return Math.max(totalTokens, (inputTokens ?? 0) + (outputTokens ?? 0));
  }
  return inputTokens === undefined || outputTokens === undefined
    ? undefined
    : inputTokens + outputTokens;
}

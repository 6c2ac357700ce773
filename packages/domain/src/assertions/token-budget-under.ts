import { assertionKind, assertionSchema, positiveCount } from './assertion-kind.ts';
import type { TokenUsage } from './transcript.ts';

/** Fewer tokens were used than `tokens`; without a measurement it fails. */
export const tokenBudgetUnder = assertionKind({
  stage: 'userValue',
  inTurn: 'never',
  schema: assertionSchema('tokenBudgetUnder', { tokens: positiveCount }),
  evaluate({ tokens }, { usage }) {
    const total = usage === undefined ? undefined : totalTokens(usage);
    if (total === undefined) return { passed: false, reason: 'Token usage was not measured.' };
    return {
      passed: total < tokens,
      reason: `${total} ${total === 1 ? 'token' : 'tokens'} used; under ${tokens} needed.`,
    };
  },
});

/**
 * Returns the larger of the reported total and of input plus output. Without a total, one half
 * alone is no measurement. A value that is no count leaves the whole usage unmeasured.
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

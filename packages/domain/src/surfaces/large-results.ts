/**
 * The results of a trial that exceed the token limit of its case. Of a truncated result, only the
 * stored beginning is counted.
 */
import type { Assertion } from '../assertions/assertion.ts';
import { callsMadeIn } from '../assertions/call-scope.ts';
import { tokensOfResult } from '../assertions/token-limits.ts';
import type { ToolCall } from '../assertions/transcript.ts';
import type { LargeResult } from './lint-surface.ts';
import type { CountTokens } from './surface-tokens.ts';

export function largeResults(
  calls: readonly ToolCall[],
  assertions: readonly Assertion[],
  countTokens: CountTokens,
): LargeResult[] {
  return assertions.flatMap((assertion) => {
    if (assertion.type !== 'maximumResultTokens') return [];
    const { tokens: maximum } = assertion;
    return callsMadeIn(calls, assertion).flatMap((call): LargeResult[] => {
      const tokens = tokensOfResult(call, countTokens).atLeast;
      if (tokens <= maximum) return [];
      return [{ serverName: call.serverName ?? null, toolName: call.toolName, tokens, maximum }];
    });
  });
}

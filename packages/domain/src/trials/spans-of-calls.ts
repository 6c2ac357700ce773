/**
 * Finds the spans of the calls that a failed expectation depends on. Two references are the same
 * call if they share one `arguments` object.
 */
import type { Assertion } from '../assertions/assertion.ts';
import { isCallOf, type NamedTool, type ToolCall } from '../assertions/transcript.ts';

export type SpanIdOf = (call: Pick<ToolCall, 'arguments'>) => string | undefined;

export type ExclusionOf = (tool: NamedTool) => string | undefined;

export function spanIdsOf(
  calls: readonly Pick<ToolCall, 'arguments'>[],
  spanIdOf: SpanIdOf | undefined,
): readonly string[] | undefined {
  if (spanIdOf === undefined || calls.length === 0) return undefined;
  const ids = calls.flatMap((call) => spanIdOf(call) ?? []);
  return ids.length === 0 ? undefined : ids;
}

/**
 * Returns the calls that break an assertion that forbids calls. Empty for other assertions, since
 * they fail because a call is missing.
 */
export function forbiddenCalls(
  assertion: Assertion,
  calls: readonly ToolCall[],
): readonly ToolCall[] {
  switch (assertion.type) {
    case 'toolNeverCalled':
      return calls.filter((call) => isCallOf(call, assertion));
    case 'firstToolWas':
      return calls.slice(0, 1);
    case 'onlyToolsCalled':
      return calls.filter(({ toolName }) => !assertion.toolNames.includes(toolName));
    default:
      return [];
  }
}

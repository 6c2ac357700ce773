import * as z from 'zod';
import { assertionKind, assertionSchema, toolNameField } from './assertion-kind.ts';
import { showItems } from './redact.ts';
import type { ToolCall } from './transcript.ts';

/** An empty list forbids every call. */
export const onlyToolsCalled = assertionKind({
  stage: 'selection',
  schema: assertionSchema('onlyToolsCalled', { toolNames: z.array(toolNameField) }),
  evaluate({ toolNames }, { toolCalls }) {
    const allowed = new Set(toolNames);
    const others = toolCalls.filter(({ toolName }) => !allowed.has(toolName));
    if (others.length === 0) return { passed: true, reason: 'No other tool was called.' };
    const made = namesOf(others.filter(({ notMade }) => notMade === undefined));
    const asked = namesOf(others).filter((name) => !made.includes(name));
    const reasons = [
      ...(made.length > 0 ? [`Other tools were called: ${showItems(made)}.`] : []),
      ...(asked.length > 0 ? [`Other tools were requested: ${showItems(asked)}.`] : []),
    ];
    return { passed: false, reason: reasons.join(' ') };
  },
});

function namesOf(calls: readonly ToolCall[]): string[] {
  return [...new Set(calls.map(({ toolName }) => toolName))];
}

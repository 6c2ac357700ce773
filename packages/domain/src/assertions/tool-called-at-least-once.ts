import { assertionKind, assertionSchema, toolNameField } from './assertion-kind.ts';
import { showValue } from './redact.ts';
import { wasCalled } from './times.ts';
import { callsMadeOf } from './transcript.ts';

export const toolCalledAtLeastOnce = assertionKind({
  schema: assertionSchema('toolCalledAtLeastOnce', { toolName: toolNameField }),
  evaluate({ toolName }, { toolCalls }) {
    const calls = callsMadeOf(toolCalls, toolName).length;
    return { passed: calls >= 1, reason: `${showValue(toolName)} ${wasCalled(calls)}.` };
  },
});

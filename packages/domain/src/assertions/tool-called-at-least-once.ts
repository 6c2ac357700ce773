import { assertionKind, assertionSchema, toolNameField } from './assertion-kind.ts';
import { showValue } from './redact.ts';

export const toolCalledAtLeastOnce = assertionKind({
  schema: assertionSchema('toolCalledAtLeastOnce', { toolName: toolNameField }),
  evaluate({ toolName }, { toolCalls }) {
    const calls = toolCalls.filter((call) => call.toolName === toolName).length;
    return { passed: calls >= 1, reason: `${showValue(toolName)} was called ${calls} times.` };
  },
});

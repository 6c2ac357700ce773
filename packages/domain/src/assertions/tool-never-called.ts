import { assertionKind, assertionSchema, toolNameField } from './assertion-kind.ts';
import { showValue } from './redact.ts';
import { wasCalled } from './times.ts';

export const toolNeverCalled = assertionKind({
  schema: assertionSchema('toolNeverCalled', { toolName: toolNameField }),
  evaluate({ toolName }, { toolCalls }) {
    const calls = toolCalls.filter((call) => call.toolName === toolName).length;
    return { passed: calls === 0, reason: `${showValue(toolName)} ${wasCalled(calls)}.` };
  },
});

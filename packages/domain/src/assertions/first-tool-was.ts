import { assertionKind, assertionSchema, toolNameField } from './assertion-kind.ts';
import { showValue } from './redact.ts';

export const firstToolWas = assertionKind({
  schema: assertionSchema('firstToolWas', { toolName: toolNameField }),
  evaluate({ toolName }, { toolCalls }) {
    const first = toolCalls[0];
    if (first === undefined) return { passed: false, reason: 'No tool was called.' };
    if (first.notMade !== undefined) {
      const reason = `The first call was of ${showValue(first.toolName)}, and it could not be made.`;
      return { passed: false, reason };
    }
    return {
      passed: first.toolName === toolName,
      reason: `The first tool called was ${showValue(first.toolName)}.`,
    };
  },
});

import { assertionKind, assertionSchema } from './assertion-kind.ts';
import { showError, showItems, showValue } from './redact.ts';

/** No tool failed, neither by an error result nor by having no result. */
export const noToolErrors = assertionKind({
  schema: assertionSchema('noToolErrors', {}),
  evaluate(_, { toolErrors }) {
    if (toolErrors === undefined) {
      return { passed: false, reason: 'Tool errors were not recorded.' };
    }
    const first = toolErrors[0];
    if (first === undefined) return { passed: true, reason: 'No tool failed.' };
    const failed = toolErrors.map((error) => `${error.toolName ?? 'unknown tool'}: ${error.kind}`);
    const message = first.message === undefined ? '' : ` ${showValue(showError(first.message))}.`;
    return {
      passed: false,
      reason: `Tool errors: ${toolErrors.length} (${showItems(failed)}).${message}`,
    };
  },
});

import { assertionKind, assertionSchema, fails, holds, unanswered } from './assertion-kind.ts';
import { openErrorSentence, sortSeenErrors } from './excused-errors.ts';
import { showError, showItems, showValue } from './redact.ts';

/**
 * Holds if every tool call returned a result without an error, except for errors that the case
 * expects.
 */
export const noToolErrors = assertionKind({
  stage: 'response',
  schema: assertionSchema('noToolErrors', {}),
  evaluate(_, { toolCalls, toolErrors }, { siblings = [] }) {
    if (toolErrors === undefined) return fails('Tool errors were not recorded.');
    const { counted, unknown, excused } = sortSeenErrors(siblings, { toolCalls, toolErrors });
    const first = counted[0];
    if (first !== undefined) {
      const failed = counted.map((error) => `${error.toolName ?? 'unknown tool'}: ${error.kind}`);
      const message = first.message === undefined ? '' : ` ${showValue(showError(first.message))}.`;
      return fails(`Tool errors: ${counted.length} (${showItems(failed)}).${message}`);
    }
    const open = unknown[0];
    if (open !== undefined) return unanswered(openErrorSentence(open));
    if (excused.length === 0) return holds('No tool failed.');
    return holds('No tool failed, except with the expected errors.');
  },
});

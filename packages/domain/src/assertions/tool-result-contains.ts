import * as z from 'zod';
import { assertionKind, assertionSchema, scopeFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { someCall } from './combine-call-answers.ts';
import { containsText } from './contains-text.ts';
import { showValue } from './redact.ts';
import { notCapturedIn, resultText } from './result-content.ts';

/**
 * Holds if at least one result contains the given text. A match in the captured beginning of a cut
 * result counts.
 */
export const toolResultContains = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolResultContains', {
    needle: z.string().min(1).max(5000),
    caseSensitive: z.boolean().optional(),
    ...scopeFields,
  }),
  evaluate({ needle, caseSensitive, toolName, serverName }, { toolCalls }) {
    const scope = { toolName, serverName };
    const wanted = showValue(needle);
    return someCall(
      callsMadeIn(toolCalls, scope),
      (call) => {
        const shown = showCallIn(call, scope);
        const read = resultText(call);
        if ('text' in read && containsText(read.text, needle, caseSensitive)) {
          return { state: 'yes', sentence: `A result of ${shown} contains ${wanted}.` };
        }
        if (read.state === 'cut' || read.state === 'notCaptured') {
          return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        }
        return {
          state: 'no',
          sentence:
            'text' in read
              ? `The last result says ${showValue(read.text)}.`
              : 'The last result is empty.',
        };
      },
      {
        none: noCallIn(scope),
        failed: (last) => `No result${ofScope(scope)} contains ${wanted}. ${last}`,
      },
    );
  },
});

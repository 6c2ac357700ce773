import * as z from 'zod';
import { assertionKind, assertionSchema, scopeFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { someCall } from './combine-call-answers.ts';
import { showValue } from './redact.ts';
import { notCapturedIn, resultText } from './result-content.ts';
import { tryPattern } from './try-pattern.ts';

/**
 * Holds if the pattern is found in at least one result. A cut result decides nothing, because a
 * pattern may refer to the end of the text.
 */
export const toolResultMatches = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolResultMatches', { pattern: z.string().min(1), ...scopeFields }),
  evaluate({ pattern, toolName, serverName }, { toolCalls }, { patterns }) {
    const scope = { toolName, serverName };
    const wanted = showValue(pattern);
    return someCall(
      callsMadeIn(toolCalls, scope),
      (call) => {
        const shown = showCallIn(call, scope);
        const read = resultText(call);
        if (read.state === 'cut' || read.state === 'notCaptured') {
          return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        }
        const text = read.state === 'text' ? read.text : '';
        const found = tryPattern(patterns, pattern, text, `a result of ${shown}`);
        if (found === true) {
          return { state: 'yes', sentence: `A result of ${shown} matches ${wanted}.` };
        }
        if (found !== false) return { state: 'unknown', sentence: found.problem };
        return {
          state: 'no',
          sentence:
            text === '' ? 'The last result is empty.' : `The last result says ${showValue(text)}.`,
        };
      },
      {
        none: noCallIn(scope),
        failed: (last) => `No result${ofScope(scope)} matches ${wanted}. ${last}`,
      },
    );
  },
});

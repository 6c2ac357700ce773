import * as z from 'zod';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { assertionKind, assertionSchema, toolFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn } from './call-scope.ts';
import { someCall } from './combine-call-answers.ts';
import { showItems, showValue } from './redact.ts';
import { showTool } from './show-tool.ts';
import { tryPattern } from './try-pattern.ts';

/**
 * Holds if the pattern is found in the arguments of at least one call. Arguments are written as
 * canonical JSON: sorted keys, no white space.
 */
export const toolInputMatches = assertionKind({
  stage: 'call',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolInputMatches', { ...toolFields, pattern: z.string().min(1) }),
  evaluate({ toolName, serverName, pattern }, { toolCalls }, { patterns }) {
    const tool = { toolName, serverName };
    const calls = callsMadeIn(toolCalls, tool);
    const shown = showTool(tool);
    const wanted = showValue(pattern);
    return someCall(
      calls,
      (call) => {
        const text = canonicalJson(call.arguments);
        const found = tryPattern(patterns, pattern, text, `the JSON of the arguments of ${shown}`);
        if (found === true) {
          return {
            state: 'yes',
            sentence: `${shown} was called with arguments that match ${wanted}.`,
          };
        }
        if (found === false) return { state: 'no', sentence: '' };
        return { state: 'unknown', sentence: found.problem };
      },
      {
        none: noCallIn(tool),
        failed: () =>
          `No arguments of ${shown} match ${wanted}. Arguments seen: ${showItems(calls.map((call) => call.arguments))}.`,
      },
    );
  },
});

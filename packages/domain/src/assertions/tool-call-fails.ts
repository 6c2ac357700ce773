import * as z from 'zod';
import { assertionKind, assertionSchema, holds, toolFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn } from './call-scope.ts';
import { someCall } from './combine-call-answers.ts';
import { callsBySpan, failsAsStated, isAsStated } from './excused-errors.ts';
import { showValue } from './redact.ts';
import { notCapturedIn } from './result-content.ts';
import { showTool } from './show-tool.ts';

/**
 * Holds if at least one call ended in an error whose message contains the given text, without
 * regard to case.
 */
export const toolCallFails = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolCallFails', {
    ...toolFields,
    messageContains: z.string().min(1).max(5000).optional(),
  }),
  evaluate({ toolName, serverName, messageContains }, { toolCalls, toolErrors = [] }) {
    const tool = { toolName, serverName };
    const stated = { ...tool, messageContains };
    const shown = showTool(tool);
    const saying = messageContains === undefined ? '' : ` saying ${showValue(messageContains)}`;
    // If a call's result was not captured, the recorded tool errors may still show the expected
    // error.
    const callOf = callsBySpan(toolCalls);
    if (toolErrors.some((error) => isAsStated(error, stated, callOf(error)) === 'yes')) {
      return holds(`A call of ${shown} failed${saying}.`);
    }
    return someCall(
      callsMadeIn(toolCalls, tool),
      (call) => {
        const answer = failsAsStated(call, stated);
        if (answer === 'yes') return { state: answer, said: `A call of ${shown} failed${saying}.` };
        if (answer === 'unknown') return { state: answer, said: notCapturedIn(shown, call) };
        const { error, text } = call.result ?? {};
        const told = error?.message ?? text;
        if (error === undefined) return { state: answer, said: 'The last succeeded.' };
        const said =
          told === undefined ? 'The last failed.' : `The last failed with ${showValue(told)}.`;
        return { state: answer, said };
      },
      { none: noCallIn(tool), failed: (last) => `No call of ${shown} failed${saying}. ${last}` },
    );
  },
});

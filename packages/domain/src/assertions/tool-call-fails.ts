import * as z from 'zod';
import { assertionKind, assertionSchema, holds, toolFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn } from './call-scope.ts';
import { someCall } from './combine-call-answers.ts';
import { callsBySpan, failsAsStated, isAsStated } from './excused-errors.ts';
import { unlistedSentence } from './listed-tool.ts';
import { isUnanswered } from './no-answer.ts';
import { showError, showValue } from './redact.ts';
import { notCapturedIn } from './result-content.ts';
import { showTool } from './show-tool.ts';
import type { ToolCall } from './transcript.ts';

/**
 * Holds if the tool answered at least one call with an error whose message contains the given text,
 * without regard to case. A call without an answer does not count. An error about an unknown tool
 * counts only if a text is given, because the tool's name may be misspelled.
 */
export const toolCallFails = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolCallFails', {
    ...toolFields,
    messageContains: z.string().min(1).max(5000).optional(),
  }),
  evaluate({ toolName, serverName, messageContains }, { toolCalls, toolErrors = [], listedTools }) {
    const tool = { toolName, serverName };
    const unlisted = unlistedSentence(tool, listedTools);
    const stated = { ...tool, messageContains };
    const shown = showTool(tool);
    const saying = messageContains === undefined ? '' : ` saying ${showValue(messageContains)}`;
    // If a call's result was not captured, the recorded tool errors may still contain the expected
    // error.
    const callOf = callsBySpan(toolCalls);
    if (toolErrors.some((error) => isAsStated(error, stated, callOf(error)) === 'yes')) {
      return holds(`A call of ${shown} failed${saying}.`);
    }
    return someCall(
      callsMadeIn(toolCalls, tool),
      (call) => {
        const answer = failsAsStated(call, stated);
        if (answer === 'yes')
          return { state: answer, sentence: `A call of ${shown} failed${saying}.` };
        if (answer === 'unknown') return { state: answer, sentence: notCapturedIn(shown, call) };
        return { state: answer, sentence: endOf(call) };
      },
      {
        none: noCallIn(tool),
        failed: (last) => `No call of ${shown} failed${saying}. ${last}${unlisted}`,
      },
    );
  },
});

/** Describes how the last call ended. Used only if no call failed as expected. */
function endOf({ result }: ToolCall): string {
  const { error, text } = result ?? {};
  if (error === undefined) return 'The last succeeded.';
  if (isUnanswered(error)) return `The last call got no answer: ${showError(error.message ?? '')}`;
  const message = error.message ?? text;
  return message === undefined
    ? 'The last failed.'
    : `The last call failed with ${showValue(message)}.`;
}

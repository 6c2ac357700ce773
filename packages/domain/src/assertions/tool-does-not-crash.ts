import { assertionKind, assertionSchema, fails, scopeFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { everyCall } from './combine-call-answers.ts';
import { showError, showValue } from './redact.ts';
import { errorTexts, notCapturedIn } from './result-content.ts';
import { saysCrash } from './says-crash.ts';
import type { ToolCall, ToolError } from './transcript.ts';

/**
 * Holds if no call crashed its tool. Broken connections and answers against the tool's own output
 * schema are crashes too; an error that says what is wrong with the value is none, and does not
 * count as a tool error either.
 */
export const toolDoesNotCrash = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolDoesNotCrash', scopeFields),
  evaluate({ toolName, serverName }, { toolCalls, toolErrors = [] }) {
    const scope = { toolName, serverName };
    return everyCall(
      callsMadeIn(toolCalls, scope),
      (call) => {
        const shown = `${showCallIn(call, scope)} with ${showValue(call.arguments)}`;
        const broken = toolErrors.find((error) => isCrashOf(call, error));
        if (broken?.resultProblem !== undefined) {
          const said = `The result of ${shown} breaks the tool's own output schema: ${showError(broken.resultProblem)}`;
          return { state: 'no', said };
        }
        if (broken !== undefined) {
          const said = `A call of ${shown} got no answer: ${showError(broken.message ?? '')}`;
          return { state: 'no', said };
        }
        if (call.result === undefined)
          return { state: 'unknown', said: notCapturedIn(shown, call) };
        if (call.result.error === undefined) return { state: 'yes', said: '' };
        const texts = errorTexts(call.result);
        if (texts.length === 0 || call.result.isCut === true) {
          return { state: 'unknown', said: notCapturedIn(shown, call) };
        }
        return saysCrash(texts, call.arguments)
          ? { state: 'no', said: `A call of ${shown} crashed: ${showValue(showError(texts[0]))}.` }
          : { state: 'yes', said: '' };
      },
      { none: fails(noCallIn(scope)), held: `No call${ofScope(scope)} crashed.` },
    );
  },
});

/** Errors of a broken connection or a broken result belong to a call by its span alone. */
function isCrashOf({ spanId }: ToolCall, error: ToolError): boolean {
  const isCrash = error.isOurs === true || error.resultProblem !== undefined;
  return isCrash && spanId !== undefined && error.spanId === spanId;
}

import { assertionKind, assertionSchema, fails, scopeFields } from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { everyCall } from './combine-call-answers.ts';
import { listedFor } from './listed-tool.ts';
import { showError, showValue } from './redact.ts';
import { errorTexts, notCapturedIn } from './result-content.ts';
import { saysCrash } from './says-crash.ts';
import { saysOutsideSchema } from './says-outside-schema.ts';
import type { SchemaEngine } from './schema-engine.ts';
import type { ListedTool, ToolCall, ToolError } from './transcript.ts';

/**
 * Holds if no call crashed its tool. Crashes include broken connections, results that violate the
 * tool's own output schema, and errors that reject a type or value that the tool's input schema
 * allows. Any other error that explains what is wrong with the value is no crash, and does not
 * count as a tool error either.
 */
export const toolDoesNotCrash = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('toolDoesNotCrash', scopeFields),
  evaluate(
    { toolName, serverName },
    { toolCalls, toolErrors = [], listedTools = [] },
    { schemas },
  ) {
    const scope = { toolName, serverName };
    return everyCall(
      callsMadeIn(toolCalls, scope),
      (call) => {
        const shown = `${showCallIn(call, scope)} with ${showValue(call.arguments)}`;
        const broken = toolErrors.find((error) => isCrashOf(call, error));
        if (broken?.resultProblem !== undefined) {
          const sentence = `The result of ${shown} breaks the tool's own output schema: ${showError(broken.resultProblem)}`;
          return { state: 'no', sentence };
        }
        if (broken !== undefined) {
          const sentence = `A call of ${shown} got no answer: ${showError(broken.message ?? '')}`;
          return { state: 'no', sentence };
        }
        if (call.result === undefined)
          return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        if (call.result.error === undefined) return { state: 'yes', sentence: '' };
        const texts = errorTexts(call.result);
        if (texts.length === 0 || call.result.isCut === true) {
          return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        }
        const why = whyNoRefusal(call, texts, listedTools, schemas);
        const failure = `A call of ${shown} ${why}: ${showValue(showError(texts[0]))}.`;
        return why === undefined
          ? { state: 'yes', sentence: '' }
          : { state: 'no', sentence: failure };
      },
      { none: fails(noCallIn(scope)), held: `No call${ofScope(scope)} crashed.` },
    );
  },
});

/** Matches an error of a broken connection or an invalid result to its call only by span id. */
function isCrashOf({ spanId }: ToolCall, error: ToolError): boolean {
  const isCrash = error.isOurs === true || error.resultProblem !== undefined;
  return isCrash && spanId !== undefined && error.spanId === spanId;
}

/** Returns why the tool was not right to answer with an error; undefined if the tool was right. */
function whyNoRefusal(
  call: ToolCall,
  texts: readonly string[],
  listedTools: readonly ListedTool[],
  schemas: SchemaEngine,
): string | undefined {
  if (saysCrash(texts, call.arguments)) return 'crashed';
  const listed = texts.some(saysOutsideSchema) ? listedFor(call, listedTools) : [];
  const isAllowed = listed.every(
    ({ inputSchema }) =>
      inputSchema !== undefined && schemas.check(inputSchema, call.arguments).state === 'valid',
  );
  return listed.length > 0 && isAllowed
    ? 'was rejected although the input schema of the tool allows its arguments'
    : undefined;
}

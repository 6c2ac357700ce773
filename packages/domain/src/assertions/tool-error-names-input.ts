import { isRecord } from '../kernel/json.ts';
import { assertionKind, holds, observationSchema, scopeFields } from './assertion-kind.ts';
import { callsMadeIn, ofScope, showCallIn } from './call-scope.ts';
import { everyCall } from './combine-call-answers.ts';
import { listedFor } from './listed-tool.ts';
import { showItems, showValue } from './redact.ts';
import { errorTexts, notCapturedIn } from './result-content.ts';
import type { ListedTool, ToolCall } from './transcript.ts';

/**
 * A heuristic: every error text must name an input of its tool, so that a model can correct its
 * call.
 */
export const toolErrorNamesInput = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: observationSchema('toolErrorNamesInput', scopeFields),
  evaluate({ toolName, serverName }, { toolCalls, listedTools }) {
    const scope = { toolName, serverName };
    const calls = callsMadeIn(toolCalls, scope).filter(
      (call) => call.result === undefined || call.result.error !== undefined,
    );
    return everyCall(
      calls,
      (call) => {
        const shown = showCallIn(call, scope);
        if (call.result === undefined)
          return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        const inputs = inputsOf(call, listedTools);
        const texts = errorTexts(call.result);
        if (inputs.length === 0 || inputs.some((name) => isNamed(name, texts))) {
          return { state: 'yes', sentence: '' };
        }
        const isOpen =
          texts.length === 0 || call.result.isCut === true || listedTools === undefined;
        if (isOpen) return { state: 'unknown', sentence: notCapturedIn(shown, call) };
        const errorText = showValue(texts[0]);
        const sentence = `An error of ${shown} says ${errorText} and names none of the inputs of the tool: ${showItems(inputs)}.`;
        return { state: 'no', sentence };
      },
      {
        none: holds(`No call${ofScope(scope)} failed.`),
        held: `Every error${ofScope(scope)} names one of the inputs.`,
      },
    );
  },
});

function inputsOf(call: ToolCall, listedTools: readonly ListedTool[] = []): string[] {
  const listed = listedFor(call, listedTools).flatMap(({ inputSchema }) => {
    const properties = isRecord(inputSchema) ? inputSchema['properties'] : undefined;
    return isRecord(properties) ? Object.keys(properties) : [];
  });
  return [...new Set([...Object.keys(call.arguments), ...listed])];
}

function isNamed(name: string, texts: readonly string[]): boolean {
  const wanted = name.toLowerCase();
  return texts.some((text) => {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
      const isWord = !isLetter(lower[at - 1]) && !isLetter(lower[at + wanted.length]);
      if (isWord) return true;
    }
    return false;
  });
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

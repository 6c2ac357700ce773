/**
 * Limits on the number of tokens of tools and results, counted with the o200k_base tokenizer. A
 * number equal to the limit passes.
 */
import { type CountTokens, surfaceTokens } from '../surfaces/surface-tokens.ts';
import { count, grouped } from '../words/sentence.ts';
import {
  assertionKind,
  assertionSchema,
  fails,
  holds,
  positiveCount,
  scopeFields,
  toolNameField,
  unanswered,
} from './assertion-kind.ts';
import { callsMadeIn, noCallIn, ofScope, showCallIn } from './call-scope.ts';
import { listingNotCaptured } from './listed-tool.ts';
import { notCapturedIn, resultText } from './result-content.ts';
import { showTool } from './show-tool.ts';
import type { ToolCall } from './transcript.ts';

/** Number of largest tools that a reason names. */
const namedTools = 3;
const noTokenizer = 'This service cannot count tokens.';

/**
 * Holds if the listed tools of all servers, or of one server, take at most `tokens` tokens
 * together.
 */
export const maximumSurfaceTokens = assertionKind({
  stage: 'discovery',
  inTurn: 'never',
  schema: assertionSchema('maximumSurfaceTokens', {
    tokens: positiveCount,
    serverName: toolNameField.optional(),
  }),
  evaluate({ tokens, serverName }, { listedTools }, { countTokens }) {
    if (countTokens === undefined) return unanswered(noTokenizer);
    if (listedTools === undefined) return unanswered(listingNotCaptured);
    const tools = listedTools.filter(
      (tool) => serverName === undefined || tool.serverName === serverName,
    );
    if (tools.length === 0) return fails(`No tool${ofScope({ serverName })} is listed.`);
    const counted = surfaceTokens(
      [{ name: null, tools: tools.map((one) => ({ ...one })) }],
      countTokens,
    );
    const measured = counted.total.o200k_base;
    const of = `The ${count(tools.length, 'listed tool')}${ofScope({ serverName })}`;
    const takes = `${of} ${tools.length === 1 ? 'takes' : 'take'} ${count(measured, 'token')}`;
    if (measured <= tokens) return holds(`${takes}; at most ${grouped(tokens)} are allowed.`);
    const largest = counted.servers
      .flatMap((server) => server.tools)
      .toSorted((one, other) => other.total.o200k_base - one.total.o200k_base)
      .slice(0, namedTools)
      .map(({ toolName, total }) => `${showTool({ toolName })} (${grouped(total.o200k_base)})`);
    return fails(`${takes}, more than ${grouped(tokens)}. The largest: ${largest.join(', ')}.`);
  },
});

/** Holds if every result, as the model receives it, takes at most `tokens` tokens. */
export const maximumResultTokens = assertionKind({
  stage: 'response',
  inTurn: 'callsOfTurn',
  schema: assertionSchema('maximumResultTokens', { tokens: positiveCount, ...scopeFields }),
  evaluate({ tokens, toolName, serverName }, { toolCalls }, { countTokens }) {
    if (countTokens === undefined) return unanswered(noTokenizer);
    const scope = { toolName, serverName };
    const calls = callsMadeIn(toolCalls, scope);
    if (calls.length === 0) return holds(noCallIn(scope));
    const measured = calls.map((call) => ({ call, ...tokensOfResult(call, countTokens) }));
    const [largest] = measured.toSorted((one, other) => other.atLeast - one.atLeast);
    if (largest !== undefined && largest.atLeast > tokens) {
      const takes = largest.isWhole ? 'takes' : 'takes at least';
      const shown = showCallIn(largest.call, scope);
      return fails(
        `The largest result, of ${shown}, ${takes} ${count(largest.atLeast, 'token')}, more than ${grouped(tokens)}.`,
      );
    }
    const open = measured.find(({ isWhole }) => !isWhole);
    if (open !== undefined)
      return unanswered(notCapturedIn(showCallIn(open.call, scope), open.call));
    return holds(`Every result${ofScope(scope)} takes at most ${count(tokens, 'token')}.`);
  },
});

/** Counts the captured part of the result: all of it, or its beginning. */
export function tokensOfResult(
  call: ToolCall,
  countTokens: CountTokens,
): { readonly atLeast: number; readonly isWhole: boolean } {
  const read = resultText(call);
  if (read.state === 'notCaptured') return { atLeast: 0, isWhole: false };
  if (read.state === 'cut') return { atLeast: countTokens(read.text), isWhole: false };
  const text = read.state === 'text' ? read.text : (call.result?.error?.message ?? '');
  return { atLeast: countTokens(text), isWhole: true };
}

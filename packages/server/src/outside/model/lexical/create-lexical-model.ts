/**
 * `proofmark/lexical-1`: a model that decides only by the words of a request. It reads the last
 * message of the user, calls the one tool that fits best, and answers from the tool's result. After
 * a tool result it always answers, so it never loops. It uses no clock and no random numbers: the
 * same request gives the same bytes, regardless of the order of the tools.
 */
import { type ModelParameterName, modelParameterNames } from '@proofmark/domain';
import type { ModelMessage, ModelReply, ModelRequest, ModelTool } from '../model-gateway.ts';
import { answerFromResult } from './answer-from-result.ts';
import { countOf, countWords } from './count-words.ts';
import { fillArguments } from './fill-arguments.ts';
import {
  fitThreshold,
  indexTools,
  type RankedTool,
  rankTools,
  type ToolIndex,
} from './rank-tools.ts';

export function createLexicalModel(): (request: ModelRequest) => ModelReply {
  // All trials of a run send the same array of tools, so the index is cached by that array.
  const known = new WeakMap<readonly ModelTool[], KnownTools>();
  return (request) => {
    let tools = known.get(request.tools);
    if (tools === undefined) {
      tools = { index: indexTools(request.tools), words: countOf(request.tools) };
      known.set(request.tools, tools);
    }
    const reply = replyTo(request, tools);
    const ignored = ignoredOf(request);
    return ignored.length === 0 ? reply : { ...reply, ignored };
  };
}

/**
 * Returns the model parameters that the request states and this model ignores. A temperature is
 * ignored too, but has always been accepted silently.
 */
function ignoredOf(request: ModelRequest): ModelParameterName[] {
  const { topP, maxOutputTokens: maxTokens, seed, reasoningEffort } = request;
  const stated = { topP, maxTokens, seed, reasoningEffort };
  return modelParameterNames.filter((name) => name !== 'temperature' && stated[name] !== undefined);
}

interface KnownTools {
  readonly index: ToolIndex;
  readonly words: number;
}

const longestRequest = 20_000;

function replyTo(request: ModelRequest, tools: KnownTools): ModelReply {
  const asked = request.messages.findLastIndex(({ role }) => role === 'user');
  const result = request.messages.slice(asked + 1).findLast((message) => message.role === 'tool');
  if (result !== undefined) return replyWith(request, tools, answerFromResult(result.content));
  const text = textOf(request.messages[asked]).slice(0, longestRequest);
  const ranked = rankTools(tools.index, text);
  const [best] = ranked;
  if (request.toolChoice === 'none')
    return replyWith(request, tools, 'No tool may be called here.');
  if (best === undefined) return replyWith(request, tools, 'There is no tool to call.');
  const mayDecline = request.toolChoice !== 'required';
  if (best.score < fitThreshold && mayDecline) {
    return replyWith(request, tools, 'No listed tool fits this request.');
  }
  if (best.isMisdescribed && mayDecline) return replyWith(request, tools, misdescribed(best.tool));
  const { name, input } = bestCall(ranked, text);
  return {
    text: '',
    toolCalls: [{ toolCallId: `call_${callsIn(request.messages) + 1}`, toolName: name, input }],
    finishReason: 'tool-calls',
    usage: usageOf(request, tools, countWords(name) + countOf(input)),
    attempts: 1,
  };
}

/**
 * The answer if the best tool's description does not fit its name. A model that reads descriptions
 * would not call such a tool.
 */
function misdescribed({ name }: ModelTool): string {
  const shown = JSON.stringify(name.slice(0, 200));
  return `No listed tool fits this request: the description of ${shown} shares no meaning with its name.`;
}

/**
 * Returns the best call. Among tools with similar scores it is the call that uses the most values
 * of the request, since the user stated those values for a purpose.
 */
function bestCall(ranked: readonly RankedTool[], text: string) {
  const least = (ranked[0]?.score ?? 0) * closeShare;
  const calls = ranked
    .filter(({ score, isMisdescribed }, index) => {
      return index < mostCompared && score >= least && (index === 0 || !isMisdescribed);
    })
    .map(({ tool, score }) => {
      const { input, shareTaken, shareMissing } = fillArguments(tool, text);
      const fit = score * (1 - unusedCost * (1 - shareTaken)) * (1 - missingCost * shareMissing);
      return { name: tool.name, input, fit };
    });
  return calls.reduce((best, call) => (call.fit > best.fit ? call : best));
}

const mostCompared = 5;
const closeShare = 0.6;
const unusedCost = 0.3;
const missingCost = 0.5;

function replyWith(request: ModelRequest, tools: KnownTools, text: string): ModelReply {
  return {
    text,
    toolCalls: [],
    finishReason: 'stop',
    usage: usageOf(request, tools, countWords(text)),
    attempts: 1,
  };
}

/**
 * Returns the usage. This model counts a word as a token: a run of letters and digits, in texts and
 * in the JSON of tools, calls and results.
 */
function usageOf(request: ModelRequest, tools: KnownTools, outputTokens: number) {
  let inputTokens = tools.words + countWords(request.system ?? '');
  for (const { content } of request.messages) {
    inputTokens += typeof content === 'string' ? countWords(content) : countOf(content);
  }
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

function textOf(message: ModelMessage | undefined): string {
  return message?.role === 'user' ? message.content : '';
}

function callsIn(messages: readonly ModelMessage[]): number {
  let calls = 0;
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.content) if (part.type === 'tool-call') calls += 1;
  }
  return calls;
}

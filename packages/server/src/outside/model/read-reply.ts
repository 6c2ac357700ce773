/**
 * Converts a provider's answer. Arguments that are no JSON object are a mistake of the model, not a
 * failure of the provider. The call then stays in the answer, with the input `{}` and the original
 * text, and the trial is graded on it.
 */

import type {
  LanguageModelV3GenerateResult,
  LanguageModelV3Reasoning,
  LanguageModelV3ToolCall,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { isRecord, type Json, type ModelParameterName } from '@proofmark/domain';
import {
  type FinishReason,
  finishReasons,
  type ModelReply,
  type ModelToolCall,
  type ReasoningPart,
} from './model-gateway.ts';
import { keepProviderNotes } from './provider-notes.ts';
import { readUsage } from './read-usage.ts';

export type WholeReply = Pick<
  LanguageModelV3GenerateResult,
  'content' | 'finishReason' | 'response' | 'usage' | 'warnings'
>;

export function readReply(result: WholeReply, attempts: number): ModelReply {
  let text = '';
  const toolCalls: ModelToolCall[] = [];
  const reasoning: ReasoningPart[] = [];
  for (const part of result.content) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'reasoning') reasoning.push(readReasoning(part));
    // A tool call that the provider executes itself is not meant for the servers under test.
    else if (part.type === 'tool-call' && part.providerExecuted !== true) {
      toolCalls.push(readToolCall(part));
    }
  }
  const ignored = ignoredIn(result.warnings);
  const responseId = result.response?.id;
  return {
    text,
    toolCalls,
    ...(reasoning.length > 0 && { reasoning }),
    ...(ignored.length > 0 && { ignored }),
    finishReason: readFinishReason(result.finishReason?.unified, toolCalls.length > 0),
    usage: readUsage(result.usage),
    ...(typeof responseId === 'string' && { responseId: responseId.slice(0, longestId) }),
    attempts,
  };
}

function readReasoning({ text, providerMetadata }: LanguageModelV3Reasoning): ReasoningPart {
  const part: ReasoningPart = { type: 'reasoning', text };
  if (providerMetadata !== undefined) keepProviderNotes(part, providerMetadata);
  return part;
}

/**
 * Returns the model parameters that the package left out because the provider does not support
 * them.
 */
function ignoredIn(warnings: readonly SharedV3Warning[] | undefined): ModelParameterName[] {
  const features = (warnings ?? []).flatMap((one) => ('feature' in one ? one.feature : []));
  return Object.entries(featureNames).flatMap(([feature, name]) =>
    features.includes(feature) ? name : [],
  );
}

const featureNames: Readonly<Record<string, ModelParameterName>> = {
  temperature: 'temperature',
  topP: 'topP',
  maxOutputTokens: 'maxTokens',
  seed: 'seed',
  reasoningEffort: 'reasoningEffort',
};

/** The maximum length of a stored invalid input in characters, enough to see the mistake. */
const longestInvalidInput = 2_000;
const longestId = 200;

function readToolCall(part: LanguageModelV3ToolCall): ModelToolCall {
  const { toolCallId, toolName } = part;
  const input = readInput(part.input);
  const call: ModelToolCall =
    input === undefined
      ? {
          toolCallId,
          toolName,
          input: {},
          invalidInput: String(part.input).slice(0, longestInvalidInput),
        }
      : { toolCallId, toolName, input };
  if (part.providerMetadata !== undefined) keepProviderNotes(call.input, part.providerMetadata);
  return call;
}

/**
 * Parses the arguments. Many models send an empty text for a tool without parameters, which is read
 * as `{}`.
 */
function readInput(written: string): Json | undefined {
  if (written.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(written);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the finish reason. Some servers send `stop` although the model calls a tool; that becomes
 * `tool-calls`. Any other reason may mean a truncated answer and is not changed.
 */
function readFinishReason(given: string | undefined, callsTools: boolean): FinishReason {
  const known = finishReasons.find((reason) => reason === given) ?? 'unknown';
  return callsTools && known === 'stop' ? 'tool-calls' : known;
}

/**
 * Requests one answer from the model and records it with its span and token usage. A failure of the
 * provider is returned, not thrown. A truncated answer counts as a failure of the provider, but
 * stays in the trace.
 */
import {
  hideSecrets,
  type ModelParameters,
  statedParameters,
  trialSentence,
} from '@proofmark/domain';
import { ModelFailure } from '../outside/model/model-failure.ts';
import type {
  AssistantPart,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ReasoningPart,
} from '../outside/model/model-gateway.ts';
import { cutByLimit, incompleteAnswer } from './incomplete-answer.ts';
import { boundMark } from './limit-trace.ts';
import { inputForServer } from './offered-tools.ts';
import type { SpanDraft } from './span.ts';
import type { TurnContext } from './trial-context.ts';

export interface ModelTurn {
  readonly promptIndex: number;
  readonly parentId: string;
  readonly answers: number;
}

/** Explains why there is no answer. `isLimited`: the rate limit of the provider was the cause. */
export interface UnansweredTurn {
  readonly failure: string;
  readonly isLimited?: boolean;
}

/**
 * A usable answer. If a token limit set by the author ended the answer, `cut` is a sentence about
 * it.
 */
export interface AnsweredTurn extends ModelReply {
  readonly cut?: string;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one request, whose span and wait are settled on every way out of it.
export async function askModel(
  context: TurnContext,
  turn: ModelTurn,
): Promise<AnsweredTurn | UnansweredTurn> {
  const { dependencies, log, chosen, signal } = context;
  if (chosen === undefined) throw new Error('The case asks a model, but no model was chosen.');
  const { model, apiKey } = chosen;
  const span = log.beginSpan(model.name, 'llm');
  span.parentId = turn.parentId;
  span.promptIndex = turn.promptIndex;
  span.stepIndex = turn.answers;
  span.modelId = model.hosted ? model.id : model.name;
  span.provider = model.provider;
  log.crowdedProvider = model.provider;
  const onSent = (isSent: boolean) => {
    if (!isSent || log.crowdedProvider === undefined) return;
    // The span begins when the request is sent. Time spent waiting for a slot in Proofmark is not
    // time of the provider.
    span.startMs = Math.round(log.nowMs());
    log.crowdedProvider = undefined;
  };
  const { watcher } = context;
  const onText = watcher?.saying && ((soFar: string) => watcher.saying?.(soFar));
  try {
    const { callIds } = context;
    const request = requestOf(context, turn.answers);
    const given = await dependencies.models.generate(model, callIds?.asTheirs(request) ?? request, {
      signal,
      onSent,
      ...(onText && { onText }),
      ...(apiKey !== undefined && { apiKey }),
    });
    const reply = callIds?.asOurs(given) ?? given;
    log.crowdedProvider = undefined;
    signal.throwIfAborted();
    log.usages.push(reply.usage);
    addAnswer(context, reply);
    describe(span, reply, log.messages.length - 1);
    watcher?.answered(reply.text);
    const cut = incompleteAnswer(reply, model.provider);
    const limit = parametersOf(context).maxTokens;
    // The author set this token limit, so the truncated answer is graded as it is.
    if (reply.finishReason === 'length' && limit !== undefined) {
      log.endSpan(span);
      return { ...reply, cut: cutByLimit(limit) };
    }
    if (cut !== undefined) span.status = 'error';
    log.endSpan(span);
    return cut === undefined ? reply : { failure: cut };
  } catch (error) {
    span.status = 'error';
    // A request that was never sent gets no span.
    if (log.crowdedProvider === undefined || !signal.aborted) log.endSpan(span);
    if (context.limit?.isOver === true) {
      log.crowdedProvider = undefined;
      const late = context.limit.whileAwaited(`the answer of the model ${model.name}`);
      return { failure: `The answer of the model did not arrive in full: ${late}` };
    }
    if (signal.aborted) throw signal.reason;
    log.crowdedProvider = undefined;
    if (!(error instanceof ModelFailure)) throw error;
    return { failure: trialSentence(error), isLimited: error.reason === 'RATE_LIMITED' };
  }
}

function parametersOf({ plan, planned }: Pick<TurnContext, 'plan' | 'planned'>): ModelParameters {
  return statedParameters(planned, plan.client.config, plan.overrides);
}

/**
 * Settings of the case override those of the client. A required tool call applies only to the first
 * answer of a turn; otherwise the turn would never end.
 */
function requestOf(
  { plan, planned, offeredTools, log }: TurnContext,
  answers: number,
): ModelRequest {
  const { config } = plan.client;
  const system = planned.system ?? config.systemPrompt;
  const { maxTokens, ...parameters } = parametersOf({ plan, planned });
  const { toolChoice } = planned;
  const request: { -readonly [Name in keyof ModelRequest]: ModelRequest[Name] } = {
    messages: log.asked.slice(),
    tools: log.links.isEmpty ? offeredTools.tools : offeredTools.toolsWithLinks,
    ...parameters,
  };
  if (system !== undefined && system !== '') request.system = system;
  if (maxTokens !== undefined) request.maxOutputTokens = maxTokens;
  if (toolChoice !== undefined) {
    request.toolChoice = toolChoice === 'required' && answers > 0 ? 'auto' : toolChoice;
  }
  return request;
}

function addAnswer(
  { log, offeredTools }: TurnContext,
  { text, toolCalls, reasoning = [] }: ModelReply,
): void {
  const asked: AssistantPart[] = [...reasoning];
  const named: AssistantPart[] = reasoning.flatMap(boundReasoning);
  let isRenamed = reasoning.length > 0;
  if (text !== '' || toolCalls.length === 0) {
    asked.push({ type: 'text', text });
    named.push({ type: 'text', text });
  }
  for (const { toolCallId, toolName, input, invalidInput } of toolCalls) {
    const part: AssistantPart =
      invalidInput === undefined
        ? { type: 'tool-call', toolCallId, toolName, input }
        : { type: 'tool-call', toolCallId, toolName, input, invalidInput };
    const offered = offeredTools.find(toolName);
    const ownName = offered?.toolName ?? toolName;
    const ownInput = inputForServer(offered, input);
    const isOwn = ownName === toolName && ownInput === input;
    asked.push(part);
    named.push(isOwn ? part : { ...part, toolName: ownName, input: ownInput });
    isRenamed ||= !isOwn;
  }
  const message: ModelMessage = { role: 'assistant', content: asked };
  log.addAnswer(message, isRenamed ? { role: 'assistant', content: named } : message, text);
}

/**
 * The trace stores only the beginning of the reasoning, without text that looks secret. The model
 * gets all of it.
 */
function boundReasoning({ type, text }: ReasoningPart): ReasoningPart[] {
  if (text === '') return [];
  const cut = text.length - keptReasoning;
  const kept =
    cut <= 0 ? text : `${text.slice(0, keptReasoning)}… [${cut} characters were cut: ${boundMark}`;
  return [{ type, text: String(hideSecrets(kept)) }];
}

const keptReasoning = 10_000;

function describe(span: SpanDraft, reply: ModelReply, messageIndex: number): void {
  const { inputTokens, outputTokens, totalTokens } = reply.usage;
  span.finishReason = reply.finishReason;
  span.messageStartIndex = messageIndex;
  span.messageEndIndex = messageIndex;
  if (inputTokens !== undefined) span.inputTokens = inputTokens;
  if (outputTokens !== undefined) span.outputTokens = outputTokens;
  if (totalTokens !== undefined) span.totalTokens = totalTokens;
  if (reply.responseId !== undefined) span.responseId = reply.responseId;
}

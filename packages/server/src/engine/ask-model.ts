/**
 * One answer of the model, kept with its span and its tokens. A provider that fails is no failure of ours. A model that
 * was cut off did not choose: its answer stays in the trace, and its provider has failed.
 */
import { trialSentence } from '@proofmark/domain';
import { ModelFailure } from '../model/model-failure.ts';
import type {
  AssistantPart,
  ModelMessage,
  ModelReply,
  ModelRequest,
} from '../model/model-gateway.ts';
import { cutOff } from './cut-off.ts';
import type { SpanDraft } from './span.ts';
import type { TurnContext } from './trial-context.ts';

export interface ModelTurn {
  readonly promptIndex: number;
  readonly parentId: string;
  /** Of the model, in this turn so far. */
  readonly answers: number;
}

/** `isLimited`: the provider limits how often it may be asked. */
export interface UnansweredTurn {
  readonly failure: string;
  readonly isLimited?: boolean;
}

export async function askModel(
  context: TurnContext,
  turn: ModelTurn,
): Promise<ModelReply | UnansweredTurn> {
  const { dependencies, log, chosen, signal } = context;
  if (chosen === undefined) throw new Error('No model was chosen for a case that asks one.');
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
    // The wait for our own turn is no time of the provider.
    span.startMs = Math.round(log.nowMs());
    log.crowdedProvider = undefined;
  };
  try {
    const reply = await dependencies.models.generate(model, requestOf(context, turn.answers), {
      ...{ signal, onSent },
      ...(apiKey !== undefined && { apiKey }),
    });
    log.crowdedProvider = undefined;
    signal.throwIfAborted();
    log.usages.push(reply.usage);
    addAnswer(context, reply);
    describe(span, reply, log.messages.length - 1);
    context.watcher?.answered(reply.text);
    const cut = cutOff(reply, model.provider);
    if (cut !== undefined) span.status = 'error';
    log.endSpan(span);
    return cut === undefined ? reply : { failure: cut };
  } catch (error) {
    span.status = 'error';
    // What was never sent leaves no span.
    if (log.crowdedProvider === undefined || !signal.aborted) log.endSpan(span);
    if (signal.aborted) throw signal.reason;
    log.crowdedProvider = undefined;
    if (!(error instanceof ModelFailure)) throw error;
    return { failure: trialSentence(error), isLimited: error.reason === 'RATE_LIMITED' };
  }
}

/** What the case says wins over what the client says. A call is required once in a turn, or the turn would never end. */
function requestOf(
  { plan, planned, offeredTools, log }: TurnContext,
  answers: number,
): ModelRequest {
  const { config } = plan.client;
  const system = planned.system ?? config.systemPrompt;
  const temperature = planned.temperature ?? config.temperature;
  const { toolChoice } = planned;
  const request: { -readonly [Name in keyof ModelRequest]: ModelRequest[Name] } = {
    messages: log.asked.slice(),
    tools: offeredTools.tools,
  };
  if (system !== undefined && system !== '') request.system = system;
  if (temperature !== undefined) request.temperature = temperature;
  if (toolChoice !== undefined) {
    request.toolChoice = toolChoice === 'required' && answers > 0 ? 'auto' : toolChoice;
  }
  return request;
}

function addAnswer({ log, offeredTools }: TurnContext, { text, toolCalls }: ModelReply): void {
  const asked: AssistantPart[] = [];
  const named: AssistantPart[] = [];
  let isRenamed = false;
  if (text !== '' || toolCalls.length === 0) asked.push({ type: 'text', text });
  named.push(...asked);
  for (const { toolCallId, toolName, input, invalidInput } of toolCalls) {
    const part: AssistantPart =
      invalidInput === undefined
        ? { type: 'tool-call', toolCallId, toolName, input }
        : { type: 'tool-call', toolCallId, toolName, input, invalidInput };
    const ownName = offeredTools.find(toolName)?.toolName ?? toolName;
    asked.push(part);
    named.push(ownName === toolName ? part : { ...part, toolName: ownName });
    isRenamed ||= ownName !== toolName;
  }
  const message: ModelMessage = { role: 'assistant', content: asked };
  log.addAnswer(message, isRenamed ? { role: 'assistant', content: named } : message, text);
}

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

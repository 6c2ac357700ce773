/**
 * Makes the calls that one model answer requests, one after another or concurrently as the client
 * does, within each server's limit. The model gets the results in the order of its requests.
 * If a policy refuses a call, neither this call nor the remaining ones are made. If the model makes
 * a mistake (unknown tool, invalid arguments, too many calls), the server is not called. The model
 * then gets a message, and the turn continues.
 */
import { isRecord, type Json, type NotMade, type ToolCall } from '@proofmark/domain';
import type {
  ModelMessage,
  ModelToolCall,
  ToolResultPart,
} from '../outside/model/model-gateway.ts';
import { isWidget } from '../outside/model/tool-result-content.ts';
import { callServer } from './call-server.ts';
import { readsLinks } from './link-tool.ts';
import { inputForServer, type OfferedTool, serverPart } from './offered-tools.ts';
import { policyRefusalOf } from './policy-refusal.ts';
import { readLink } from './read-link.ts';
import { showWidgetOf } from './show-widget-of.ts';
import { useSkills } from './skill-tools.ts';
import type { TurnContext } from './trial-context.ts';
import { withoutBlobs } from './without-blobs.ts';

export const mostCallsPerTurn = 100;
/**
 * The maximum number of recorded calls in a turn. The model gets a response to further calls, but
 * they are not recorded.
 */
const mostKeptPerTurn = 200;
const longestUnknownName = 200;

interface StepContext {
  readonly promptIndex: number;
  readonly parentId: string;
}

export interface CallsMade {
  /** Why a policy refused a call; undefined if no call was refused. */
  readonly refused: string | undefined;
  /** How many calls were not made because the turn had too many. */
  readonly leftOut: number;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the cases of one call in the order in which they are asked, which decides the verdict.
export async function makeCalls(
  context: TurnContext,
  calls: readonly ModelToolCall[],
  step: StepContext,
): Promise<CallsMade> {
  const { log } = context;
  const answered: AnswerToCall[] = [];
  let refused: string | undefined;
  let leftOut = 0;
  const atOnce: Promise<void>[] = [];
  const isParallel = areMadeAtOnce(context);
  for (const asked of calls) {
    const { toolName } = asked;
    const offered = offeredNow(context, toolName);
    const call = { ...asked, input: inputForServer(offered, asked.input) };
    const ownName = offered?.toolName ?? toolName;
    const place: AnswerToCall = { call, ownName, output: undefined };
    answered.push(place);
    const isFull = callsSoFar(context, step) >= mostCallsPerTurn;
    refused = offered?.kind === 'server' && !isFull ? policyRefusalOf(context, offered) : undefined;
    if (isFull) {
      leftOut += 1;
      place.output = leaveOut(context, ownName, call, step.promptIndex);
    } else if (refused !== undefined) {
      const kept = { toolName: ownName, arguments: call.input, notMade: 'refused' } as const;
      place.output = refuse(context, kept, call, step, refused);
    } else if (offered === undefined) {
      place.output = reject(context, toolName, call, step, 'notOffered');
    } else if (offered.kind !== 'link' && call.invalidInput !== undefined) {
      place.output = reject(context, ownName, call, step, 'invalidArguments');
    } else {
      // The call is recorded before the first await, so that concurrent calls are recorded in the
      // order of the model's answer.
      const answering =
        offered.kind === 'link'
          ? readLink(context, call, step)
          : answerWatched(context, call, offered, step);
      const made = answering.then((output) => {
        place.output = output;
      });
      if (isParallel) atOnce.push(made);
      else await made;
    }
    // If a call used up the time of its step, no further call is made.
    if (refused !== undefined || log.lateAnswer !== undefined) break;
  }
  if (isParallel) await endAll(context, atOnce, () => addResults(log, answered));
  addResults(log, answered);
  return { refused, leftOut };
}

/** A watching person approves calls one by one. So their calls are never concurrent. */
function areMadeAtOnce({ plan, watcher }: TurnContext): boolean {
  return plan.client.config.parallelToolCalls === true && watcher === undefined;
}

/** The tool that reads links is not offered until a result contains a link. */
function offeredNow({ offeredTools, log }: TurnContext, toolName: string): OfferedTool | undefined {
  const offered = offeredTools.find(toolName);
  return offered?.kind === 'link' && log.links.isEmpty ? undefined : offered;
}

/** Reads of links are included: they are no tool calls, but they use a server. */
function callsSoFar({ log }: TurnContext, { promptIndex }: StepContext): number {
  return (log.callsOfTurns[promptIndex]?.length ?? 0) + log.links.readsIn(promptIndex);
}

/**
 * Makes a call and shows it to the watcher. Only calls of servers are shown, because skills belong
 * to the client.
 */
async function answerWatched(
  context: TurnContext,
  call: ModelToolCall,
  offered: OfferedTool,
  step: StepContext,
): Promise<ToolResultPart['output']> {
  const { watcher, signal } = context;
  if (watcher === undefined || offered.kind !== 'server') {
    return answer(context, call, offered, step);
  }
  const watched = { callId: call.toolCallId, offered, input: call.input };
  const withheld = await watcher.mayCall(watched, signal);
  signal.throwIfAborted();
  if (withheld !== undefined) {
    const { toolName } = offered;
    const kept = { toolName, arguments: call.input, notMade: 'denied' } as const;
    return refuse(context, kept, call, step, withheld.denied);
  }
  const output = await answer(context, call, offered, step);
  watcher.called(watched, output);
  return output;
}

async function answer(
  context: TurnContext,
  { toolCallId, toolName, input }: ModelToolCall,
  offered: OfferedTool,
  { promptIndex, parentId }: StepContext,
): Promise<ToolResultPart['output']> {
  const { log, plan, dependencies } = context;
  if (offered.kind === 'server') {
    const { serverId } = offered;
    const messageIndex = log.messages.length;
    const made = {
      serverId,
      toolName: offered.toolName,
      input,
      toolCallId,
      promptIndex,
      parentId,
      messageIndex,
    };
    const called = await callServer(context, made);
    await showWidgetOf(context, made, called);
    if (readsLinks(plan)) log.links.add(offered, called.output);
    return called.output;
  }
  const span = log.beginSpan(toolName, 'tool');
  log.addCall({ toolName, arguments: input }, promptIndex, span.id);
  span.parentId = parentId;
  span.promptIndex = promptIndex;
  span.toolCallId = toolCallId;
  span.toolName = toolName;
  const output = useSkills(toolName, input, plan.skills, dependencies.skillTexts);
  if (output.type === 'error-text') span.status = 'error';
  log.endSpan(span);
  return output;
}

type Mistake = Exclude<NotMade, 'denied' | 'refused'>;

const mistakes: Readonly<Record<Mistake, string>> = {
  notOffered: 'There is no tool of this name.',
  invalidArguments: 'The arguments are not a JSON object, so the tool was not called.',
  tooMany: `A turn may have at most ${mostCallsPerTurn} calls, so the tool was not called.`,
};

function reject(
  context: TurnContext,
  toolName: string,
  call: ModelToolCall,
  step: StepContext,
  notMade: Mistake,
): ToolResultPart['output'] {
  const named = toolName.slice(0, longestUnknownName);
  const kept = { toolName: named, arguments: call.input, notMade };
  return refuse(context, kept, call, step, mistakes[notMade]);
}

function leaveOut(
  { log, offeredTools }: TurnContext,
  toolName: string,
  { toolName: modelName, input }: ModelToolCall,
  promptIndex: number,
): ToolResultPart['output'] {
  const named = toolName.slice(0, longestUnknownName);
  const offered = offeredTools.find(modelName);
  const isCall = offered?.kind !== 'link';
  if (isCall && (log.callsOfTurns[promptIndex]?.length ?? 0) < mostKeptPerTurn) {
    const kept = { toolName: named, arguments: input, notMade: 'tooMany' } as const;
    log.addCall({ ...kept, ...serverPart(offered) }, promptIndex);
  }
  return { type: 'error-text', value: mistakes.tooMany };
}

function refuse(
  { log, offeredTools }: TurnContext,
  call: ToolCall,
  { toolCallId, toolName: modelName }: ModelToolCall,
  { promptIndex, parentId }: StepContext,
  reason: string,
): ToolResultPart['output'] {
  const { toolName } = call;
  const span = log.beginSpan(toolName, 'error');
  log.addCall({ ...call, ...serverPart(offeredTools.find(modelName)) }, promptIndex, span.id);
  span.status = 'error';
  span.parentId = parentId;
  span.promptIndex = promptIndex;
  span.toolCallId = toolCallId;
  span.toolName = toolName;
  log.endSpan(span);
  return { type: 'error-text', value: reason };
}

interface AnswerToCall {
  readonly call: ModelToolCall;
  readonly ownName: string;
  output: ToolResultPart['output'] | undefined;
}

/**
 * Waits until all calls have ended, even if one of them ended the turn. Stores the results before
 * it throws a failure.
 */
async function endAll(
  { log, signal }: TurnContext,
  made: readonly Promise<void>[],
  keep: () => void,
): Promise<void> {
  const ends = await Promise.allSettled(made);
  log.orderAsBegun();
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  if (failures.length === 0) return;
  keep();
  // A failure of a call is more specific than the stop of the others, so it is thrown.
  throw failures.find((failure) => failure !== signal.reason) ?? failures[0];
}

function addResults(log: TurnContext['log'], answered: readonly AnswerToCall[]): void {
  const asked: ToolResultPart[] = [];
  const named: ToolResultPart[] = [];
  let isOther = false;
  for (const { call, ownName, output } of answered) {
    if (output === undefined) continue;
    const { toolCallId, toolName } = call;
    const seen = withoutWidgets(output);
    const part = { type: 'tool-result', toolCallId, toolName, output: seen } as const;
    asked.push(part);
    const kept = withoutBlobs(output);
    const isSame = ownName === toolName && kept === seen;
    named.push(isSame ? part : { ...part, toolName: ownName, output: kept });
    isOther ||= !isSame;
  }
  if (asked.length === 0) return;
  const message: ModelMessage = { role: 'tool', content: asked };
  log.addToolResults(message, isOther ? { role: 'tool', content: named } : message);
}

type Output = ToolResultPart['output'];

/**
 * Returns the output as a client gives it to a model: without widget pages and without `_meta`,
 * which is meant for hosts. If there is nothing to remove, returns the same object.
 */
function withoutWidgets(output: Output): Output {
  if (output.type !== 'json' || !isRecord(output.value)) return output;
  const { _meta, ...result } = output.value;
  const { content } = result;
  const kept = Array.isArray(content) ? content.map(keptBlock) : content;
  const isSame =
    !Array.isArray(content) || content.every((block, index) => block === (kept as [])[index]);
  if (_meta === undefined && isSame) return output;
  return { type: 'json', value: isSame ? result : { ...result, content: kept } };
}

function keptBlock(block: unknown): unknown {
  if (!isRecord(block) || !isRecord(block['resource'])) return block;
  const resource = block['resource'] as Json;
  if (!isWidget(resource)) return block;
  const { uri, mimeType } = resource;
  return { type: block['type'], resource: { uri, mimeType } };
}

/**
 * Calls a tool on its server and records the call. A fault of the server is evidence, so it is
 * returned. Only internal failures and rejected credentials are thrown; rejected credentials prove
 * nothing about the tool.
 */
import {
  crowdedCall,
  isHeldForWriting,
  isOurLimit,
  isRefusal,
  type Json,
  type McpErrorOrigin,
  mcpErrorOf,
  silentFor,
  trialSentence,
  unlistedTool,
  whyHeldForWriting,
} from '@proofmark/domain';
import { factsOf, McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import type { ToolResultPart } from '../outside/model/model-gateway.ts';
import { withoutResultBy } from './call-result.ts';
import { NotMeasured } from './not-measured.ts';
import { isRefusedEvenAlone } from './retry-while-asked-to-wait.ts';
import {
  argumentProblemBesideMarks,
  argumentProblemOf,
  resultProblemOf,
} from './schema-problems.ts';
import type { ServerCall } from './server-call.ts';
import { SetupLost } from './setup-lost.ts';
import type { SpanDraft } from './span.ts';
import {
  EndedBeforeRepeat,
  isCrowdedTimeout,
  isStillBusy,
  timeoutOf,
} from './timeout-beside-other-calls.ts';
import type { TurnContext } from './trial-context.ts';

export interface ServerAnswer {
  readonly output: ToolResultPart['output'];
  /** One sentence; present if the tool returned an error or the call got no result. */
  readonly failure?: string;
  /** Set if the tool was not called, because clients must hide it. */
  readonly isExcluded?: true;
}

export async function callServer(context: TurnContext, call: ServerCall): Promise<ServerAnswer> {
  const { dependencies, log, signal } = context;
  const { serverId, toolName, input, promptIndex } = call;
  const span = log.beginSpan(toolName, 'tool');
  const serverName = nameOfServer(context, serverId);
  log.addCall({ toolName, serverName, serverId, arguments: input }, promptIndex, span.id);
  const wait = context.waits.begin();
  const answered = context.answers.begin(span, call, context);
  let outcome: ToolOutcome;
  try {
    outcome = await answered.during(() =>
      dependencies.servers.callTool(
        ...[serverId, toolName, input, signal, wait.onWaiting],
        !isHeldForWriting(listedTool(context, call)),
        (task) => {
          span.task = task;
        },
      ),
    );
  } catch (error) {
    const { answeredMs } = answered;
    return withoutResult(context, call, span, { error, answeredMs, wasWaiting: wait.isWaiting });
  } finally {
    context.waits.end(wait);
  }
  const { durationMs, stillMs, isTimed = true, repeatedAfterMs } = outcome;
  noteRepeat(context, call, span, repeatedAfterMs);
  const latencyMs = isTimed ? durationMs - answered.answeredMs : undefined;
  log.addResult(input, outcome, { latencyMs, stillMs });
  const endMs = log.nowMs();
  span.startMs = Math.max(span.startMs, Math.round(endMs - durationMs));
  return withResult(context, call, span, outcome);
}

async function withResult(
  context: TurnContext,
  call: ServerCall,
  span: SpanDraft,
  outcome: ToolOutcome,
): Promise<ServerAnswer> {
  const { toolName } = call;
  const { result } = outcome;
  const tool = context.offeredTools.listed(call.serverId, toolName);
  const output = { type: 'json', value: result } as const;
  const isError = result['isError'] === true;
  const argumentProblem = problemOfArguments(context, call, tool);
  if (argumentProblem !== undefined) span.argumentProblem = argumentProblem;
  const resultProblem = isError ? undefined : await resultProblemOf(toolName, tool, outcome);
  if (resultProblem !== undefined) span.resultProblem = resultProblem;
  endToolSpan(context, span, call, isError || resultProblem !== undefined ? 'error' : 'ok');
  if (resultProblem !== undefined) {
    // If the arguments break the schema, the sentence names them first, because the result of an
    // invalid call proves nothing about the server.
    const failure = sentenceOf(context, argumentProblem, tool, call, resultProblem);
    context.log.toolErrors.push({
      kind: 'content-error',
      message: trialSentence(resultProblem),
      sentence: failure,
      ...placeOf(call, span),
      resultProblem,
      ...(argumentProblem !== undefined && { argumentProblem }),
    });
    return { output, failure };
  }
  if (!isError) return { output };
  const errorText = trialSentence(outcome.errorText ?? '');
  const about = errorText === '' ? '.' : `: ${errorText}`;
  const name = JSON.stringify(toolName);
  const failure = sentenceOf(
    context,
    argumentProblem,
    tool,
    call,
    `The tool ${name} answered with an error${about}`,
  );
  context.log.toolErrors.push({
    kind: 'content-error',
    message: errorText,
    sentence: failure,
    ...placeOf(call, span),
    ...(argumentProblem !== undefined && { argumentProblem }),
  });
  return { output, failure };
}

/**
 * Handles a call without a result. If the trial ended during the call, only the call's span is
 * recorded.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the order of these questions decides the verdict, and shows only when they stand together.
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the order of these questions decides the verdict, and shows only when they stand together.
function withoutResult(
  context: TurnContext,
  call: ServerCall,
  span: SpanDraft,
  { error: thrown, answeredMs, wasWaiting }: EndedCall,
): ServerAnswer {
  const { signal, log, offeredTools, limit } = context;
  // The author set a time limit for this step. If it passes while the server works, the server has
  // failed.
  const isOurs = wasWaiting || thrown instanceof NotMeasured;
  const late = isOurs ? undefined : limit?.lateServer(nameOfServer(context, call.serverId));
  const isLate = late !== undefined;
  const error = isLate ? new McpFailure('TIMEOUT', late) : thrown;
  if (signal.aborted && !isLate) {
    // A call that was still waiting for a slot was never sent, so its record is removed.
    if (wasWaiting && !(thrown instanceof EndedBeforeRepeat)) {
      log.withdrawCall(call.input, call.promptIndex);
      throw signal.reason;
    }
    log.hasCutCall = true;
    endToolSpan(context, span, call, 'error', mcpErrorOf({ code: 'TIMEOUT' }));
    // The messages will never contain a result of this call, so the span must not refer to their
    // positions.
    delete span.messageStartIndex;
    delete span.messageEndIndex;
    throw signal.reason;
  }
  // Proofmark made too many concurrent calls, which is not the server's fault.
  const isHeldBack = isRefusedEvenAlone(error);
  if (!(error instanceof McpFailure) || (error.code === 'RATE_LIMITED' && !isHeldBack)) throw error;
  const facts = factsOf(error);
  const code = mcpErrorOf(facts);
  const { toolName } = call;
  const name = JSON.stringify(toolName);
  const { message: errorMessage, durationMs, stillMs } = error;
  const { timeoutMs, repeatedAfterMs, reason } = error.details;
  noteRepeat(context, call, span, repeatedAfterMs);
  const isSilent = error.code === 'TIMEOUT' && typeof timeoutMs === 'number';
  const message = trialSentence(error);
  const tool = offeredTools.listed(call.serverId, toolName);
  // The arguments are named as the cause only if the server itself sent the error.
  const problem = problemOfArguments(context, call, tool);
  if (problem !== undefined) span.argumentProblem = problem;
  endToolSpan(context, span, call, 'error', code);
  const unmeasured = isOurLimit(facts)
    ? `The answer to the call of ${name} was not read: ${message}`
    : crowdedSentence(context, call, error);
  if (unmeasured !== undefined) {
    throw new NotMeasured({ kind: 'setupFailed', reason: trialSentence(unmeasured) });
  }
  if (isHeldBack || isRefusal(facts)) {
    const refused = trialSentence(`The call of ${name} was refused: ${message}`);
    const needsOAuth = error.code === 'OAUTH_REQUIRED';
    throw new SetupLost(refused, { needsOAuth, asksToWait: isHeldBack });
  }
  const exclusion = reason === 'TOOL_EXCLUDED' ? errorMessage : undefined;
  const argumentProblem = code?.origin === 'theirs' ? problem : undefined;
  // An error from Proofmark's transport, such as a lost connection, is no response of the server.
  if (code?.origin !== 'ours' && exclusion === undefined) {
    const latencyMs = durationMs && durationMs - answeredMs;
    log.addResult(
      call.input,
      { failed: withoutResultBy(errorMessage, message) },
      { latencyMs, stillMs },
    );
  }
  const failure =
    exclusion === undefined
      ? sentenceOf(
          context,
          argumentProblem,
          tool,
          call,
          `The call of ${name} got no result: ${isSilent ? silentFor(timeoutMs) : message}${repeatedAfterMs === undefined ? '' : repeatedAlone}`,
        )
      : trialSentence(exclusion);
  log.toolErrors.push({
    kind: 'protocol-error',
    message,
    sentence: failure,
    ...placeOf(call, span),
    ...(argumentProblem !== undefined && { argumentProblem }),
    // No case expects an error of a call that Proofmark did not send.
    ...((code?.origin === 'ours' || exclusion !== undefined) && { isOurs: true }),
    ...(exclusion !== undefined && { exclusion }),
  });
  if (isLate) log.lateAnswer = failure;
  const isExcluded = exclusion !== undefined;
  return {
    output: { type: 'error-text', value: message },
    failure,
    ...(isExcluded && { isExcluded }),
  };
}

function noteRepeat(
  { log, ...context }: TurnContext,
  { serverId, toolName }: ServerCall,
  span: SpanDraft,
  afterMs: unknown,
): void {
  if (typeof afterMs !== 'number') return;
  span.repeatedAfterMs = afterMs;
  const what = `The call of ${JSON.stringify(toolName)}`;
  log.repeated.add({ serverName: nameOfServer(context, serverId), what, afterMs });
}

function listedTool({ offeredTools }: TurnContext, { serverId, toolName }: ServerCall) {
  // Uses the tool as the server listed it, because the model may see a changed copy, such as one
  // with replaced descriptions.
  return { ...offeredTools.listedByServer(serverId, toolName), name: toolName };
}

/**
 * Returns a sentence if the call timed out while other calls of Proofmark to the server were in
 * flight. Without them, the call might have been fast enough.
 */
function crowdedSentence(
  context: TurnContext,
  call: ServerCall,
  error: McpFailure,
): string | undefined {
  if (!isCrowdedTimeout(error)) return undefined;
  return crowdedCall(call.toolName, timeoutOf(error), whyUndecided(context, call, error));
}

function whyUndecided(context: TurnContext, call: ServerCall, error: McpFailure): string {
  if (error.details['repeatedAfterMs'] !== undefined) {
    return 'Proofmark repeated it, but the server was again processing other calls';
  }
  if (isStillBusy(error))
    return 'the server was still busy when Proofmark wanted to repeat it without other calls';
  return `the tool is held for writing (${whyHeldForWriting(listedTool(context, call))}), so the call was not made again`;
}

const repeatedAlone =
  ' Proofmark made this call twice, the second time without other calls to the server.';

function problemOfArguments(
  { dependencies }: TurnContext,
  { toolName, input }: ServerCall,
  tool: Json | undefined,
): string | undefined {
  const find = dependencies.hasMarks ? argumentProblemBesideMarks : argumentProblemOf;
  return find(toolName, tool, input);
}

interface EndedCall {
  readonly error: unknown;
  /** How long the server waited for Proofmark's responses. */
  readonly answeredMs: number;
  /** Whether the call ended while it waited for a slot. Then it was never sent. */
  readonly wasWaiting: boolean;
}

/**
 * Returns the failure as a sentence. A problem of the arguments or an unlisted tool comes first,
 * because it explains the failure. An earlier lost session comes last.
 */
function sentenceOf(
  context: TurnContext,
  argumentProblem: string | undefined,
  tool: Json | undefined,
  { toolName, serverId }: ServerCall,
  failure: string,
): string {
  const sentence = `${failure}${context.log.reopened.noteFor(nameOfServer(context, serverId))}`;
  if (argumentProblem !== undefined) return trialSentence(`${argumentProblem} ${sentence}`);
  return trialSentence(tool === undefined ? `${unlistedTool(toolName)} ${sentence}` : sentence);
}

function placeOf({ toolName, promptIndex }: ServerCall, { id }: SpanDraft) {
  return { toolName, promptIndex, spanId: id };
}

function nameOfServer({ plan }: Pick<TurnContext, 'plan'>, serverId: string): string {
  return plan.servers.find(({ id }) => id === serverId)?.name ?? serverId;
}

function endToolSpan(
  context: TurnContext,
  span: SpanDraft,
  { toolName, toolCallId, serverId, promptIndex, parentId, messageIndex }: ServerCall,
  status: 'ok' | 'error',
  error?: { readonly code: number; readonly origin: McpErrorOrigin },
): void {
  const { log } = context;
  span.status = status;
  span.parentId = parentId;
  span.promptIndex = promptIndex;
  span.toolCallId = toolCallId;
  span.toolName = toolName;
  span.serverId = serverId;
  span.serverName = nameOfServer(context, serverId);
  span.messageStartIndex = messageIndex;
  span.messageEndIndex = messageIndex;
  if (error !== undefined) {
    span.mcpErrorCode = error.code;
    span.mcpErrorOrigin = error.origin;
  }
  log.endSpan(span);
  const { id, category } = span;
  const seen = { id, category, status, toolName, promptIndex };
  log.toolSpans.push(
    error === undefined
      ? seen
      : { ...seen, mcpErrorCode: error.code, mcpErrorOrigin: error.origin },
  );
}

/**
 * One call of a tool on its server, with all that is remembered of it. What the server does wrong is evidence and goes
 * back to whoever called; only our own failures are thrown. The span of a call that got a result is as long as the
 * server took, without the wait for our own turn.
 */
import { mcpErrorCodeOf, trialSentence } from '@proofmark/domain';
import { McpFailure } from '../mcp/mcp-failure.ts';
import type { ToolResultPart } from '../model/model-gateway.ts';
import type { SpanDraft } from './span.ts';
import type { StepOutcome, TrialContext } from './trial-context.ts';
import { unmeasuredCall } from './unmeasured-call.ts';

type Json = Readonly<Record<string, unknown>>;

export interface ServerCall {
  readonly serverId: string;
  readonly toolName: string;
  readonly input: Json;
  readonly toolCallId: string;
  readonly promptIndex: number;
  readonly parentId: string;
  /** Where its result will stand among the messages. */
  readonly messageIndex: number;
}

export interface ServerAnswer {
  readonly output: ToolResultPart['output'];
  /** One sentence, where the call failed in either way. */
  readonly failure?: string;
  /** Where the call says nothing about the server, because we could not do our part. */
  readonly unmeasured?: Unmeasured;
}

export type Unmeasured = Extract<StepOutcome, { kind: 'providerFailed' | 'setupFailed' }>;

export async function callServer(context: TrialContext, call: ServerCall): Promise<ServerAnswer> {
  const { means, log, signal } = context;
  const { serverId, toolName, input, promptIndex } = call;
  log.addCall({ toolName, arguments: input }, promptIndex);
  const span = log.beginSpan(toolName, 'tool');
  context.answers.beginCall({ ...call, spanId: span.id });
  try {
    const outcome = await means.servers.callTool(serverId, toolName, input, signal);
    const { result, durationMs } = outcome;
    const endMs = log.nowMs();
    span.startMs = Math.max(span.startMs, Math.round(endMs - durationMs));
    const isError = result['isError'] === true;
    const output = { type: 'json', value: result } as const;
    const unmeasured = unmeasuredCall(context.answers, toolName, isError, outcome.missingAbility);
    endToolSpan(context, span, call, isError ? 'error' : 'ok', undefined, unmeasured);
    if (unmeasured !== undefined) return { output, failure: unmeasured.reason, unmeasured };
    if (!isError) return { output };
    const said = trialSentence(outcome.errorText ?? '');
    const about = said === '' ? '.' : `: ${said}`;
    const sentence = trialSentence(
      `The tool ${JSON.stringify(toolName)} answered with an error${about}`,
    );
    log.toolErrors.push({ toolName, kind: 'content-error', message: said, sentence, promptIndex });
    return { output, failure: sentence };
  } catch (error) {
    if (signal.aborted) {
      endToolSpan(context, span, call, 'error', undefined);
      // No result will ever stand among the messages.
      delete span.messageStartIndex;
      delete span.messageEndIndex;
      throw signal.reason;
    }
    // Too many calls of our own at once are no doing of the server.
    if (!(error instanceof McpFailure) || error.code === 'RATE_LIMITED') throw error;
    const { reason, status, systemCode, mcpErrorCode } = error.details;
    const code = mcpErrorCodeOf({ code: error.code, reason, status, systemCode, mcpErrorCode });
    const message = trialSentence(error);
    const { missingAbility } = error.details;
    const unmeasured = unmeasuredCall(context.answers, toolName, true, missingAbility);
    endToolSpan(context, span, call, 'error', code, unmeasured);
    if (unmeasured !== undefined) {
      const told = { type: 'error-text', value: message } as const;
      return { output: told, failure: unmeasured.reason, unmeasured };
    }
    const sentence = trialSentence(
      `The call of ${JSON.stringify(toolName)} got no result: ${message}`,
    );
    log.toolErrors.push({ toolName, kind: 'protocol-error', message, sentence, promptIndex });
    return { output: { type: 'error-text', value: message }, failure: sentence };
  }
}

function endToolSpan(
  { log }: TrialContext,
  span: SpanDraft,
  { toolName, toolCallId, serverId, promptIndex, parentId, messageIndex }: ServerCall,
  status: 'ok' | 'error',
  mcpErrorCode: number | undefined,
  unmeasured?: Unmeasured,
): void {
  span.status = status;
  span.parentId = parentId;
  span.promptIndex = promptIndex;
  span.toolCallId = toolCallId;
  span.toolName = toolName;
  span.serverId = serverId;
  span.messageStartIndex = messageIndex;
  span.messageEndIndex = messageIndex;
  if (mcpErrorCode !== undefined) span.mcpErrorCode = mcpErrorCode;
  log.endSpan(span);
  // A call that could not be measured proves nothing about its server.
  if (unmeasured !== undefined) return;
  const { id, category } = span;
  log.toolSpans.push(
    mcpErrorCode === undefined
      ? { id, category, status, toolName, promptIndex }
      : { id, category, status, toolName, promptIndex, mcpErrorCode },
  );
}

/**
 * One call of a tool on its server, with all that is remembered of it. What the server does wrong is evidence and goes
 * back to whoever called; only our own failures are thrown. The span of a call that got a result is as long as the
 * server took, without the wait for our own turn.
 */
import { mcpErrorCodeOf, trialSentence } from '@proofmark/domain';
import { McpFailure } from '../mcp/mcp-failure.ts';
import type { ToolResultPart } from '../model/model-gateway.ts';
import type { SpanDraft } from './span.ts';
import type { TrialContext } from './trial-context.ts';

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
}

export async function callServer(context: TrialContext, call: ServerCall): Promise<ServerAnswer> {
  const { means, log, signal } = context;
  const { serverId, toolName, input, promptIndex } = call;
  log.addCall({ toolName, arguments: input }, promptIndex);
  const span = log.beginSpan(toolName, 'tool');
  try {
    const outcome = await context.answers.during(span, call, () =>
      means.servers.callTool(serverId, toolName, input, signal),
    );
    const { result, durationMs } = outcome;
    const endMs = log.nowMs();
    span.startMs = Math.max(span.startMs, Math.round(endMs - durationMs));
    const isError = result['isError'] === true;
    endToolSpan(context, span, call, isError ? 'error' : 'ok', undefined);
    const output = { type: 'json', value: result } as const;
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
    endToolSpan(context, span, call, 'error', code);
    const message = trialSentence(error);
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
  const { id, category } = span;
  log.toolSpans.push(
    mcpErrorCode === undefined
      ? { id, category, status, toolName, promptIndex }
      : { id, category, status, toolName, promptIndex, mcpErrorCode },
  );
}

/**
 * The request to an own scorer (an organization's HTTP program) about one trial, at most 1 MiB.
 * Content beyond 1 MiB is cut; each cut is marked in its place, and `metadata.isCut` is set. The
 * oldest tool results are cut first, the last message is cut last.
 */
import * as z from 'zod';
import { hideSecrets } from '../assertions/redact.ts';
import type { ToolCall } from '../assertions/transcript.ts';

export const scorerSchemaVersion = 1;
export const scorerRequestBytes = 1024 * 1024;

const ScorerToolCall = z
  .object({
    toolName: z.string(),
    serverName: z.string().optional(),
    arguments: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .meta({ description: 'The arguments, or a text that says that they were cut.' }),
    promptIndex: z.int().optional().meta({ description: 'The turn of the call, counted from 0.' }),
    notMade: z.string().optional().meta({
      description: 'The reason why a call of the model never reached a tool.',
    }),
  })
  .meta({ id: 'ScorerToolCall' });

export const ScorerRequest = z
  .object({
    schemaVersion: z.literal(scorerSchemaVersion),
    caseId: z
      .string()
      .meta({ description: 'The declared id of the case, or else the id that Proofmark gave it.' }),
    title: z.string(),
    messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })).meta({
      description: 'The messages as in the trace of the trial, including results of tools.',
    }),
    toolCalls: z
      .array(ScorerToolCall)
      .meta({ description: 'The tool calls in the order in which the model requested them.' }),
    expectedOutput: z.string().optional(),
    metadata: z
      .object({
        name: z
          .string()
          .optional()
          .meta({ description: 'The name of the scorer in the assertion.' }),
        threshold: z.number(),
        iterationNumber: z.int(),
        model: z.string().optional(),
        provider: z.string().optional(),
        promptIndex: z.int().optional().meta({
          description: 'The turn to score; absent if the whole trial is to be scored.',
        }),
        isCut: z.literal(true).optional().meta({
          description: 'True if something was cut to fit the request into 1 MiB.',
        }),
      })
      .optional(),
  })
  .meta({ id: 'ScorerRequest' });
export type ScorerRequest = z.infer<typeof ScorerRequest>;

export interface ScoredConversation
  extends Pick<ScorerRequest, 'caseId' | 'title' | 'expectedOutput'> {
  readonly messages: readonly unknown[];
  readonly toolCalls: readonly ToolCall[];
  readonly metadata: NonNullable<ScorerRequest['metadata']>;
}

/** Returns the body to send; undefined if it is too large even after all cuts. */
export function writeScorerRequest(
  { messages, toolCalls, caseId, title, expectedOutput, metadata }: ScoredConversation,
  redact: <Value>(value: Value) => Value = (value) => value,
): string | undefined {
  const request = redact({
    schemaVersion: scorerSchemaVersion,
    caseId,
    title,
    messages: messages.map((message) => hideSecrets(message)),
    toolCalls: toolCalls.map(callOf),
    ...(expectedOutput !== undefined && { expectedOutput }),
    metadata: { ...metadata },
  }) as ScorerRequest & { metadata: ScoredConversation['metadata'] };
  const whole = JSON.stringify(request);
  if (bytesOf(whole) <= scorerRequestBytes) return whole;
  request.metadata = { ...request.metadata, isCut: true };
  let bytes = bytesOf(JSON.stringify(request));
  for (const cut of cutsOf(request)) {
    if (bytes <= scorerRequestBytes) break;
    bytes -= cut();
  }
  return bytes <= scorerRequestBytes ? JSON.stringify(request) : undefined;
}

const cutMark = '[This was cut: a scorer is sent at most 1 MiB.]';

function* cutsOf(request: ScorerRequest): Generator<() => number> {
  const { messages, toolCalls } = request;
  const earlier = messages.slice(0, -1);
  const last = messages.slice(-1);
  const isResult = ({ role }: { role: string }) => role === 'tool';
  for (const one of earlier.filter(isResult)) yield () => shrink(one, 'content');
  for (const one of earlier.filter((message) => !isResult(message))) {
    yield () => shrink(one, 'content');
  }
  for (const one of toolCalls) yield () => shrink(one, 'arguments');
  for (const one of last) yield () => shrink(one, 'content');
}

function shrink(holder: Record<string, unknown>, name: string): number {
  const before = bytesOf(JSON.stringify(holder[name]) ?? '');
  const after = cutMark.length + 2;
  if (before <= after) return 0;
  holder[name] = cutMark;
  return before - after;
}

function callOf(call: ToolCall): z.infer<typeof ScorerToolCall> {
  const { toolName, serverName, promptIndex, notMade } = call;
  return {
    toolName,
    ...(serverName !== undefined && { serverName }),
    arguments: hideSecrets(call.arguments) as Record<string, unknown>,
    ...(promptIndex !== undefined && { promptIndex }),
    ...(notMade !== undefined && { notMade }),
  };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

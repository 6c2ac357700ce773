/**
 * One misbehaviour of a hostile server: at which step it occurs, how, and what the API must return.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Json = Readonly<Record<string, unknown>>;

export type Step = 'initialize' | 'list' | 'call';

export interface HostileMode {
  readonly steps: readonly Step[];
  /** Replaces the correct response at the step. */
  readonly misbehave?: (exchange: Exchange) => unknown;
  /** A listed tool with hostile content. The responses of its server are otherwise valid. */
  readonly tool?: Json;
  /** The tool as JSON text, for tools that JSON.stringify cannot write. */
  readonly toolText?: string;
  readonly result?: Json;
  readonly expected: Expected;
  /** The API operation to call instead of the step's usual one. */
  readonly operation?: 'export';
}

/** The response that the API must give. In a list, each response is correct. */
export type Expected = ExpectedAnswer | readonly ExpectedAnswer[];

export interface ExpectedAnswer {
  readonly status: number;
  readonly code?: string;
  readonly reason?: string;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly message: RpcMessage | undefined;
  readonly origin: string;
  /** The URL of a second origin that no client should contact. Its requests are counted. */
  readonly elsewhere: string;
  /** The number of requests in this mode at this step so far, including the current one. */
  readonly times: number;
  readonly signal: AbortSignal;
  /** The client's responses to requests from the server, by request id. */
  readonly answersOfClient: Map<unknown, Json>;
  answerPolitely(): void;
}

export interface RpcMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Json;
}

export const fine: ExpectedAnswer = { status: 200 };
export const timeout: ExpectedAnswer = { status: 504, code: 'TIMEOUT' };
export const tooLarge = unreachable('RESPONSE_TOO_LARGE');
export const invalid = unreachable('INVALID_RESPONSE');
export const blocked = unreachable('EGRESS_BLOCKED');

export function unreachable(reason: string): ExpectedAnswer {
  return { status: 502, code: 'SERVER_UNREACHABLE', reason };
}

export const everyStep: readonly Step[] = ['initialize', 'list', 'call'];
export const afterInitialize: readonly Step[] = ['list', 'call'];

/** Writes endlessly, as fast as the client reads. */
export async function streamForever(
  exchange: Exchange,
  chunk: () => string | Buffer,
): Promise<void> {
  const { response, signal } = exchange;
  let goOn = () => {};
  response.on('drain', () => goOn()).on('close', () => goOn());
  while (!signal.aborted) {
    const isFull = !response.write(chunk());
    await new Promise<void>((resolve) => {
      goOn = resolve;
      if (!isFull) setImmediate(resolve);
    });
  }
}

export function sendJson({ response }: Exchange, value: unknown, status = 200): void {
  sendText(response, typeof value === 'string' ? value : JSON.stringify(value), status);
}

export function sendText(response: ServerResponse, body: string | Buffer, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

export function openEventStream({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

export function event(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** A behaviour of a hostile server, as a row of data: where it shows, what it does, what we must answer then. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Json = Readonly<Record<string, unknown>>;

/** When the server stops being polite. */
export type Step = 'initialize' | 'list' | 'call';

export interface HostileMode {
  readonly steps: readonly Step[];
  /** Takes the place of the polite answer at the step. */
  readonly misbehave?: (exchange: Exchange) => unknown;
  /** For a server whose answers are in order and whose contents are not. */
  readonly tool?: Json;
  /** The same as text, for what JSON.stringify cannot write. */
  readonly toolText?: string;
  readonly result?: Json;
  readonly expected: Expected;
  /** Asked for in place of the operation that belongs to the step. */
  readonly operation?: 'export';
}

/** What the caller of our API must get; several where all of them are right. */
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
  /** Where this mode lives on this server, without the step. */
  readonly origin: string;
  /** Another origin, which counts whoever comes. */
  readonly elsewhere: string;
  /** How often this mode was asked at its step, this time included. */
  readonly times: number;
  /** Ends with the connection. */
  readonly signal: AbortSignal;
  /** What the client answered to requests of the server, by id. */
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

/** Writes for ever, as fast as the reader takes it. */
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

/**
 * A behaviour of a hostile server as a row of data: its step, its action, and the expected answer
 * of the service.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Json = Readonly<Record<string, unknown>>;

/** The step at which the server stops behaving well. */
export type Step = 'initialize' | 'list' | 'call';

export interface HostileMode {
  readonly steps: readonly Step[];
  /** Replaces the correct answer at the step. */
  readonly misbehave?: (exchange: Exchange) => unknown;
  /** The tool of a server with valid answers but hostile contents. */
  readonly tool?: Json;
  /** The tool as text, if JSON.stringify cannot write it. */
  readonly toolText?: string;
  readonly result?: Json;
  readonly expected: Expected;
  /** Called instead of the usual operation of the step. */
  readonly operation?: 'export';
}

/** The expected answer of the API; several if all of them are correct. */
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
  /** The address of this mode on the server, without the step. */
  readonly origin: string;
  /** Another origin, which counts its visitors. */
  readonly elsewhere: string;
  /** The number of requests to this mode at its step, this one included. */
  readonly times: number;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** The client's answers to requests of the server, by id. */
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

/** Writes without end, as fast as the reader reads. */
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

/**
 * An answer as lines or events, each with one JSON document: `{"progress":…}` for intermediate
 * results, and `{"result":…}` or `{"error":…}` at the end. If the request is refused before the
 * first document, it gets a normal answer.
 */
import type { ActionContext } from '../operations/action.ts';
import { refusalBody, refusalOf } from './answer.ts';
import type { HttpOptions } from './http-options.ts';
import type { RequestExchange } from './request-exchange.ts';
import { jsonHeaders, securityHeadersFor } from './security-headers.ts';

export const linesType = 'application/x-ndjson';

interface Framing {
  readonly type: string;
  frame(json: string): string;
}

const framings: readonly Framing[] = [
  { type: linesType, frame: (json) => `${json}\n` },
  // The JSON document contains no line break, because a line break would end the data of the event.
  { type: 'text/event-stream', frame: (json) => `data: ${json}\n\n` },
];

/**
 * Returns the stream format that the caller accepts; undefined if the caller wants a single answer.
 */
export function framingFor(exchange: RequestExchange): Framing | undefined {
  const accepted = (exchange.header('accept') ?? '').toLowerCase();
  return framings.find(({ type }) => accepted.includes(type));
}

export async function streamedAnswer(
  exchange: RequestExchange,
  options: HttpOptions,
  { type, frame }: Framing,
  work: (progress: ActionContext['progress']) => Promise<unknown>,
): Promise<undefined> {
  const { outgoing, requestId } = exchange;
  const send = (document: object) => {
    if (!outgoing.headersSent) {
      outgoing.writeHead(200, streamHeaders(options, requestId, type));
    }
    outgoing.write(frame(JSON.stringify(document)));
  };
  try {
    send({ result: await work((progress) => send({ progress })) });
  } catch (error) {
    if (!outgoing.headersSent) throw error;
    send({ error: refusalBody(refusalOf(exchange, error, options.log)) });
  }
  outgoing.end();
  return undefined;
}

/**
 * Returns the headers of a stream. They also switch off buffering in proxies, because a buffer
 * would hold back progress.
 */
export function streamHeaders({ publicUrl }: HttpOptions, requestId: string, type: string) {
  const headers = jsonHeaders(securityHeadersFor(publicUrl), requestId);
  return { ...headers, 'content-type': type, 'x-accel-buffering': 'no' };
}

/**
 * An answer in lines or events, one JSON document each: `{"progress":…}` for what is known already, and at the end
 * `{"result":…}` or `{"error":…}`. A refusal before the first is answered like every other.
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
  // A document in JSON has no line break, which would end what an event says.
  { type: 'text/event-stream', frame: (json) => `data: ${json}\n\n` },
];

/** How the caller wants to watch; nothing where it does not. */
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

/** A proxy that gathers answers would keep back what is to be seen at once. */
export function streamHeaders({ publicUrl }: HttpOptions, requestId: string, type: string) {
  const headers = jsonHeaders(securityHeadersFor(publicUrl), requestId);
  return { ...headers, 'content-type': type, 'x-accel-buffering': 'no' };
}

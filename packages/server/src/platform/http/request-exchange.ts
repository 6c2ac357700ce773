/**
 * One request and its answer, directly on Node's objects. No framework is used: each layer around
 * these objects costs more than our own work on the request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tenRandomBytes } from './ten-random-bytes.ts';

export class RequestExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId = `req_${Buffer.from(tenRandomBytes()).toString('hex')}`;
  readonly path: string;
  readonly query: string;
  operationId = 'other';
  parameters: Readonly<Record<string, string>> = {};
  /** True if this request has already taken a token from the key's rate limit bucket. */
  hasToken = false;
  #cookies: string[] | undefined;
  /** Headers to add to every answer to this request, including errors. */
  extraHeaders: Readonly<Record<string, string>> | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    // A client that treats the service as a proxy sends a full URL, so its origin is cut off.
    const target = (incoming.url ?? '').replace(/^https?:\/\/[^/?]*/i, '');
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
  }

  /** The method. `HEAD` is handled as `GET`, since Node omits the body of the answer by itself. */
  get method(): string {
    const { method } = this.incoming;
    return method === 'HEAD' || method === undefined ? 'GET' : method;
  }

  /**
   * The host header; undefined if it is missing or sent twice. With two host headers, a proxy in
   * front may have used the one that Node ignores.
   */
  get host(): string | undefined {
    const { rawHeaders, headers } = this.incoming;
    let count = 0;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') count += 1;
    }
    return count === 1 ? headers.host : undefined;
  }

  header(name: string): string | undefined {
    const value = this.incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  setCookie(text: string): void {
    this.#cookies = [...(this.#cookies ?? []), text];
  }

  get cookies(): readonly string[] | undefined {
    return this.#cookies;
  }
}

export interface Answer {
  readonly status: number;
  readonly body: string | Uint8Array | null;
  /** The content type of the answer (default: JSON). */
  readonly type?: string;
  /** Headers that are added to the standard headers, or replace them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the answer, or undefined if the handler has already sent the answer itself. */
export type Handler = (
  exchange: RequestExchange,
) => Promise<Answer | undefined> | Answer | undefined;

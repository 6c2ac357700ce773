/**
 * One request and its answer, over node's own objects. There is no framework in between: every
 * layer that wraps and copies these objects costs more than our work on the request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tenRandomBytes } from './ten-random-bytes.ts';

export class RequestExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId = `req_${Buffer.from(tenRandomBytes()).toString('hex')}`;
  readonly path: string;
  /** The part after the question mark. */
  readonly query: string;
  /** The operation's name in logs and metrics. */
  operationId = 'other';
  /** The parameters of the path, set once its route is known. */
  parameters: Readonly<Record<string, string>> = {};
  /** True if a token of the key's bucket was already taken for this request. */
  hasToken = false;
  #cookies: string[] | undefined;
  /** Headers for any answer to this request. */
  extraHeaders: Readonly<Record<string, string>> | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    // A client that treats the service as a proxy sends the whole address.
    const target = (incoming.url ?? '').replace(/^https?:\/\/[^/?]*/i, '');
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
  }

  /** `HEAD` counts as `GET`; node omits the body by itself. */
  get method(): string {
    const { method } = this.incoming;
    return method === 'HEAD' || method === undefined ? 'GET' : method;
  }

  /**
   * Returns the host header; undefined for none or for two, since a proxy in front may have read
   * the other one.
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

  /** Adds a cookie to any answer to this request. */
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
  /** The content type (default: JSON). */
  readonly type?: string;
  /** Headers in addition to those of every answer, or in their place. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the answer; undefined if the handler has sent it itself. */
export type Handler = (
  exchange: RequestExchange,
) => Promise<Answer | undefined> | Answer | undefined;

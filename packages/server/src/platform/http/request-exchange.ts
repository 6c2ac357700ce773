/**
 * One request and the answer to it, over node's own objects. There is no framework between them:
 * every layer that wraps and copies what node already has costs more than our own work on the request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tenRandomBytes } from './ten-random-bytes.ts';

export class RequestExchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly requestId = `req_${Buffer.from(tenRandomBytes()).toString('hex')}`;
  readonly path: string;
  /** What follows the question mark. */
  readonly query: string;
  /** The operation as logs and metrics name it. */
  operationId = 'other';
  /** The parameters of the path, once its route is known. */
  parameters: Readonly<Record<string, string>> = {};
  /** Whether a token of the key's bucket was taken for this request already. */
  hasToken = false;
  #cookies: string[] | undefined;
  /** For the answer, whatever it will be. */
  extraHeaders: Readonly<Record<string, string>> | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    // A client that takes us for a proxy writes the whole address.
    const target = (incoming.url ?? '').replace(/^https?:\/\/[^/?]*/i, '');
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.query = mark === -1 ? '' : target.slice(mark + 1);
  }

  /** `HEAD` is `GET` without the body, which node leaves out by itself. */
  get method(): string {
    const { method } = this.incoming;
    return method === 'HEAD' || method === undefined ? 'GET' : method;
  }

  /** Nothing where there is none, or where there are two: then whoever stands in front may have read the other one. */
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

  /** Cookies for the browser, whatever the answer will be. */
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
  /** JSON where nothing else is said. */
  readonly type?: string;
  /** Beside those that every answer has, or in their place. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler answers; nothing when it has sent its answer itself. */
export type Handler = (
  exchange: RequestExchange,
) => Promise<Answer | undefined> | Answer | undefined;

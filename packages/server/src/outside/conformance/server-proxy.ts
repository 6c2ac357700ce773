/**
 * The address of a server for the conformance suite: a proxy on this machine that forwards to this
 * one server only. The suite is a child process, so it is not under the egress rules and has no
 * credentials; what forwards its requests has both. The path of the proxy's address is secret, since
 * every program of this machine can connect to its port.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { McpFailure } from '../mcp/mcp-failure.ts';

export interface RequestOfSuite {
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly host?: string | undefined;
  readonly signal: AbortSignal;
}

export interface SeenTraffic {
  readonly statuses: readonly number[];
  readonly askedToWait: boolean;
  readonly unfinishedCalls: number;
  /** The first failure without an answer. */
  readonly failure?: McpFailure;
  /** An error of Proofmark itself. */
  readonly ownError?: { readonly error: unknown };
}

export interface ServerProxy {
  readonly url: string;
  readonly port: number;
  /** Call this before `close`, which ends what is still open. */
  seen(): SeenTraffic;
  close(): Promise<void>;
}

export async function openServerProxy(
  serverUrl: string,
  forward: (request: RequestOfSuite) => Promise<Response>,
): Promise<ServerProxy> {
  const traffic = new Traffic();
  const ended = new AbortController();
  const path = `/${randomBytes(16).toString('hex')}`;
  const origin = new URL(serverUrl).origin;
  let own = '';
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== path) {
      response.writeHead(404).end();
      return;
    }
    void answer(request, response, { traffic, ended, forward, own, origin });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  own = `127.0.0.1:${port}`;
  return {
    url: `http://${own}${path}`,
    port,
    seen: () => traffic.seen(),
    async close() {
      ended.abort();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Forwarding {
  readonly traffic: Traffic;
  readonly ended: AbortController;
  forward(request: RequestOfSuite): Promise<Response>;
  /** The host and port of the proxy. */
  readonly own: string;
  /** The origin of the server, which the suite knows only as the proxy's. */
  readonly origin: string;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { traffic, ended, forward, own, origin }: Forwarding,
): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const signal = AbortSignal.any([left.signal, ended.signal]);
  const isCall = request.method === 'POST';
  const done = isCall ? traffic.begin() : () => undefined;
  try {
    const body = isCall ? await readBody(request) : null;
    const headers = headersOf(request);
    if (headers.get('origin') === `http://${own}`) headers.set('origin', origin);
    const { host } = request.headers;
    const answered = await forward({
      method: request.method ?? 'GET',
      headers,
      body,
      signal,
      ...(host !== own && { host }),
    });
    traffic.note(answered);
    response.writeHead(answered.status, headersToSuite(answered.headers));
    // An event stream may stay silent for long, and the suite waits for its headers.
    response.flushHeaders();
    if (answered.body === null) response.end();
    else await pipeline(Readable.fromWeb(answered.body as never), bounded, response);
    done();
  } catch (error) {
    if (signal.aborted) return;
    traffic.fail(error);
    done();
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end(sentenceOf(error));
  }
}

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooMuch('answer');
    yield chunk;
  }
}

const mostBytes = 16 * 1024 * 1024;

function tooMuch(what: string): McpFailure {
  return new McpFailure('SERVER_UNREACHABLE', `The ${what} is too large for Proofmark.`, {
    reason: 'RESPONSE_TOO_LARGE',
  });
}

async function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw tooMuch('request');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Headers of one connection, which say nothing about the next. */
const ofConnection = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer'],
  ...['host', 'expect', 'content-length', 'accept-encoding', 'proxy-authorization'],
]);

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (!ofConnection.has(name.toLowerCase()))
      headers.append(name, rawHeaders[index + 1] as string);
  }
  return headers;
}

function headersToSuite(headers: Headers): Record<string, string | string[]> {
  const kept = [...headers].filter(([name]) => !ofConnection.has(name) && name !== 'location');
  return { ...Object.fromEntries(kept), 'set-cookie': headers.getSetCookie() };
}

function sentenceOf(error: unknown): string {
  return error instanceof McpFailure ? error.message : 'Proofmark could not forward the request.';
}

class Traffic {
  readonly #statuses = new Set<number>();
  #askedToWait = false;
  #open = 0;
  #failure: McpFailure | undefined;
  #ownError: { readonly error: unknown } | undefined;

  /** Returns a function to call when the answer has ended. */
  begin(): () => void {
    this.#open += 1;
    let isOpen = true;
    return () => {
      if (isOpen) this.#open -= 1;
      isOpen = false;
    };
  }

  note({ status, headers }: Response): void {
    this.#statuses.add(status);
    if (status === 429 || (status === 503 && headers.has('retry-after'))) this.#askedToWait = true;
  }

  fail(error: unknown): void {
    if (error instanceof McpFailure) this.#failure ??= error;
    else this.#ownError ??= { error };
  }

  seen(): SeenTraffic {
    return {
      statuses: [...this.#statuses],
      askedToWait: this.#askedToWait,
      unfinishedCalls: this.#open,
      ...(this.#failure && { failure: this.#failure }),
      ...(this.#ownError && { ownError: this.#ownError }),
    };
  }
}

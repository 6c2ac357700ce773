/**
 * The `fetch` of one connection. It adds the saved headers and the access token, and requests a new
 * token once if the server rejects the first. It follows no redirect to another origin, and it
 * limits the time, size and depth of answers. Statuses 401, 403, 429, and 503 with a Retry-After
 * header become errors here: the protocol library would lose their headers and follow the addresses
 * in them.
 */
import { EgressRefused } from '../egress/egress-refused.ts';
import { boundedEvents, readBoundedBody } from './bounded-body.ts';
import { invalidAnswer, ofStatus, unreachable } from './explain-mcp-error.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpLimits } from './mcp-limits.ts';
import type { AccessTokens, HttpAddress } from './mcp-target.ts';
import { exchangeHeader, type RecordedExchange } from './recorded-exchange.ts';
import type { Secrets } from './secrets.ts';

export interface SessionFetchOptions {
  readonly guardedFetch: typeof fetch;
  readonly address: HttpAddress;
  readonly tokens?: AccessTokens | undefined;
  readonly secrets: Secrets;
  readonly limits: McpLimits;
  readonly transport: 'streamable-http' | 'sse';
  exchangeOf(key: string | null): RecordedExchange | undefined;
  /**
   * Called with the number of bytes that arrived on the session's event stream. They belong to no
   * call.
   */
  onStreamBytes(bytes: number): void;
  onStreamEnd(error?: unknown): void;
  /** Called with an error of Proofmark itself, for which the server must not be blamed. */
  onOwnError(error: unknown, exchange: RecordedExchange | undefined): void;
}

export function createSessionFetch(options: SessionFetchOptions): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const exchange = options.exchangeOf(headers.get(exchangeHeader));
    headers.delete(exchangeHeader);
    for (const [name, value] of Object.entries(options.address.headers)) {
      if (!headers.has(name)) headers.set(name, value);
    }
    const method = (init?.method ?? 'GET').toUpperCase();
    const isSessionStream = method === 'GET' && !headers.has('last-event-id');
    // The token is fetched before the timer for the server's first byte starts: waiting for a token
    // renewal does not count as silence of the server.
    const { tokens } = options;
    const token = await withOwnErrors(options, exchange, tokens?.current());
    const wait = new FirstByteWait(firstByteMs(options, exchange, headers, isSessionStream));
    const signals = [init?.signal, exchange?.budget.signal, wait.signal];
    const outbound = {
      url: new URL(String(input)),
      init: { ...init, method, headers, signal: AbortSignal.any(signals.filter(isSignal)) },
    };
    try {
      const response = await sendWithToken(options, outbound, token, exchange);
      wait.end();
      return await bounded(response, options, exchange, isSessionStream);
    } finally {
      wait.end();
    }
  };
}

interface Outbound {
  readonly url: URL;
  readonly init: RequestInit & { readonly method: string; readonly headers: Headers };
}

async function sendWithToken(
  options: SessionFetchOptions,
  outbound: Outbound,
  first: string | undefined,
  exchange: RecordedExchange | undefined,
): Promise<Response> {
  const { tokens } = options;
  let token = first;
  if (tokens !== undefined && token === undefined) throw ofStatus(401);
  for (let isRetry = false; ; isRetry = true) {
    if (token !== undefined) {
      options.secrets.add(token);
      outbound.init.headers.set('authorization', `Bearer ${token}`);
    }
    const response = await sendWithinOrigin(options.guardedFetch, outbound);
    const { status } = response;
    const isBusy = status === 503 && response.headers.has('retry-after');
    if (status !== 401 && status !== 403 && status !== 429 && !isBusy) return response;
    response.body?.cancel().catch(() => undefined);
    const next =
      status === 401 && !isRetry && token !== undefined
        ? await withOwnErrors(options, exchange, tokens?.after(token))
        : undefined;
    if (next === undefined) throw ofStatus(status, response.headers.get('retry-after'));
    token = next;
  }
}

/**
 * Access tokens come from our database. An error there is reported at once and unchanged, since the
 * protocol library would hide it in an error of its own.
 */
async function withOwnErrors<Value>(
  options: SessionFetchOptions,
  exchange: RecordedExchange | undefined,
  asked: Promise<Value> | undefined,
): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    const isTheirs = error instanceof McpFailure || error instanceof EgressRefused;
    if (!isTheirs) options.onOwnError(error, exchange);
    throw error;
  }
}

export async function sendWithinOrigin(
  guardedFetch: typeof fetch,
  outbound: Outbound,
): Promise<Response> {
  const { init } = outbound;
  let { url } = outbound;
  for (let redirects = 0; ; redirects += 1) {
    const response = await guardedFetch(url.href, { ...init, redirect: 'manual' });
    const location = redirectStatuses.has(response.status)
      ? response.headers.get('location')
      : null;
    if (location === null) return response;
    response.body?.cancel().catch(() => undefined);
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next === undefined) throw invalidAnswer('The server redirects the call to an invalid URL.');
    if (next.origin !== url.origin) {
      throw unreachable(
        'EGRESS_BLOCKED',
        'The server redirected the call to another origin, which is not followed; use the final address.',
        { status: response.status },
      );
    }
    const keepsMethod = init.method === 'GET' || response.status === 307 || response.status === 308;
    if (!keepsMethod || redirects === maxRedirects) {
      throw invalidAnswer(
        'The server redirects the call in a way that is not followed; use the final address.',
      );
    }
    url = next;
  }
}

async function bounded(
  response: Response,
  options: SessionFetchOptions,
  exchange: RecordedExchange | undefined,
  isSessionStream: boolean,
): Promise<Response> {
  const { status } = response;
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (options.transport === 'sse' && !response.ok) {
    response.body?.cancel().catch(() => undefined);
    throw ofStatus(status);
  }
  if (exchange !== undefined) exchange.lastBody = bodyKind(type);
  if (type === 'text/event-stream' && response.ok && response.body !== null) {
    const count = (bytes: number) =>
      isSessionStream ? options.onStreamBytes(bytes) : countFor(exchange, options, bytes);
    const ended = (error?: unknown) => {
      if (isSessionStream) options.onStreamEnd(error);
      else if (error !== undefined) exchange?.fail(error);
    };
    return withBody(response, boundedEvents(response.body, options.limits, count, ended));
  }
  const isUnanswered = status === 202 && exchange !== undefined;
  if (isUnanswered && options.transport === 'streamable-http') {
    response.body?.cancel().catch(() => undefined);
    throw invalidAnswer('The server accepted the call and sent no answer.');
  }
  const body = await readBoundedBody(response.body, options.limits, (bytes) =>
    countFor(exchange, options, bytes),
  );
  return withBody(response, bodyless.has(status) ? null : body);
}

function countFor(
  exchange: RecordedExchange | undefined,
  options: SessionFetchOptions,
  bytes: number,
): void {
  if (exchange === undefined) options.onStreamBytes(bytes);
  else exchange.budget.count(bytes);
}

function withBody(response: Response, body: ConstructorParameters<typeof Response>[0]): Response {
  const { status, headers } = response;
  return new Response(body, { status, headers });
}

function bodyKind(type: string | undefined): 'json' | 'events' | 'other' {
  if (type === 'text/event-stream') return 'events';
  return type === 'application/json' ? 'json' : 'other';
}

/**
 * Returns the time limit for the first byte; undefined for no limit. A server that answers in JSON
 * sends nothing while its tool works, so only requests that need no work have a limit.
 */
function firstByteMs(
  options: SessionFetchOptions,
  exchange: RecordedExchange | undefined,
  headers: Headers,
  isSessionStream: boolean,
): number | undefined {
  if (isSessionStream) return options.transport === 'sse' ? options.limits.firstByteMs : undefined;
  if (headers.has('last-event-id')) return undefined;
  return exchange?.isWork === true ? undefined : options.limits.firstByteMs;
}

class FirstByteWait {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(waitMs: number | undefined) {
    if (waitMs === undefined) return;
    this.#timer = setTimeout(() => {
      this.#controller.abort(
        new McpFailure('TIMEOUT', 'The server did not begin to answer in time.', {
          timeoutMs: waitMs,
        }),
      );
    }, waitMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

function isSignal(signal: AbortSignal | null | undefined): signal is AbortSignal {
  return signal !== null && signal !== undefined;
}

const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const bodyless = new Set([204, 205, 304]);

import { Deadline } from '@proofmark/domain';
import { Agent, type Dispatcher } from 'undici';
import { checkAllowedPrivateHosts, type EgressPolicy, parseTarget } from './address-policy.ts';
import { EgressRefused } from './egress-refused.ts';
import { explainFailure } from './explain-failure.ts';
import { guardedConnector } from './guarded-connector.ts';
import { acceptedEncodings, decodedBody } from './response-body.ts';

/**
 * Returns the only function by which the service makes outgoing HTTP requests. It has the signature
 * of `fetch` and enforces these rules:
 *
 * - http and https only, no user name or password in the URL;
 * - a socket is opened only to an address that the policy allows;
 * - at most three redirects, each to the same origin, so that no credential leaves its origin; with
 *   `redirect: 'manual'` no redirect is followed, and the caller gets the redirect response itself;
 * - one total deadline, from the call to the last byte of the answer;
 * - a size limit for the answer, counted after decompression, and at most one encoding.
 *
 * A violation throws `EgressRefused`. An abort by the caller rejects with the caller's reason.
 */
export function createGuardedFetch(policy: EgressPolicy): GuardedFetch {
  checkAllowedPrivateHosts(policy);
  const agent = new Agent({
    connect: guardedConnector(policy, policy.connectTimeoutMs ?? defaultConnectTimeoutMs),
    // Turns off undici's timeouts, because the deadline of the whole call replaces them.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return async (input, init) => {
    const written = input instanceof Request ? input.url : String(input);
    const url = requireTarget(parseTarget(written));
    const request = requestOf(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const lifetime = new Deadline(
      policy.deadlineMs ?? defaultDeadlineMs,
      () => new EgressRefused('TIMEOUT'),
      signal,
    );
    try {
      const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
      const { method, headers } = request;
      const outbound = { method, headers, body, host: init?.host };
      const dispatcher = init?.onOut === undefined ? agent : telling(agent, init.onOut);
      const { redirect } = request;
      const { answer, finalUrl } = await send(dispatcher, url, outbound, redirect, lifetime);
      return responseOf(answer, url, finalUrl, outbound.method, policy, lifetime);
    } catch (error) {
      lifetime.end();
      if (lifetime.signal.aborted) throw lifetime.signal.reason;
      throw explainFailure(error);
    }
  };
}

export type GuardedFetch = (
  input: string | URL | Request,
  /**
   * `onOut` is called right before the first byte of the request is sent. If it was not called, the
   * server cannot have executed the request.
   */
  init?: RequestInit & {
    readonly onOut?: (() => void) | undefined;
    /**
     * The Host header, in place of that of the URL. It chooses no other address: the socket is
     * opened to the checked address of the URL.
     */
    readonly host?: string | undefined;
  },
) => Promise<Response>;

const defaultConnectTimeoutMs = 5_000;
const defaultDeadlineMs = 30_000;
const defaultMaxResponseBytes = 4 * 1024 * 1024;
const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const bodylessStatuses = new Set([204, 205, 304]);
/**
 * Headers that a caller cannot set: they belong to the connection, or choose a virtual host other
 * than the checked one.
 */
const connectionHeaders = [
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
  'content-length',
];

interface Outbound {
  method: string;
  readonly headers: Headers;
  body: Uint8Array | null;
  readonly host: string | undefined;
}

/**
 * Builds the request. The errors of `Request` are replaced, because they quote a rejected header,
 * which may be a secret.
 */
function requestOf(input: string | URL | Request, init: RequestInit | undefined): Request {
  try {
    return new Request(input, { ...init, signal: null });
  } catch {
    throw new TypeError('The request has an invalid method, header or body.');
  }
}

/**
 * Calls `onOut` when a request starts on an open socket. An already aborted request is never
 * written.
 */
function telling(agent: Agent, onOut: () => void): Dispatcher {
  return agent.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(controller, context) {
          handler.onRequestStart?.(controller, context);
          if (!controller.aborted) onOut();
        },
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  );
}

async function send(
  agent: Dispatcher,
  url: URL,
  outbound: Outbound,
  redirect: Request['redirect'],
  lifetime: Deadline,
): Promise<{ answer: Dispatcher.ResponseData; finalUrl: URL }> {
  for (const name of connectionHeaders) outbound.headers.delete(name);
  outbound.headers.set('accept-encoding', acceptedEncodings);
  if (outbound.host !== undefined) outbound.headers.set('host', outbound.host);
  let current = url;
  for (let redirects = 0; ; redirects += 1) {
    lifetime.signal.throwIfAborted();
    const sent = agent.request({
      origin: current.origin,
      path: `${current.pathname}${current.search}`,
      method: outbound.method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(outbound.headers),
      body: outbound.body,
      signal: lifetime.signal,
    });
    // While a socket is being opened, undici ignores the signal of the request. This race ends the
    // wait anyway.
    const answer = await Promise.race([sent, lifetime.broken]);
    const location = headerOf(answer, 'location');
    const isRedirect = redirectStatuses.has(answer.statusCode) && location !== undefined;
    if (!isRedirect || redirect === 'manual') return { answer, finalUrl: current };
    answer.body.on('error', () => undefined).destroy();
    if (redirect === 'error' || redirects === maxRedirects) {
      throw new EgressRefused('INVALID_RESPONSE', 'The server redirects the call too many times.');
    }
    current = redirectTarget(location, current);
    changeMethodForRedirect(answer.statusCode, outbound);
  }
}

function redirectTarget(location: string, current: URL): URL {
  if (!URL.canParse(location, current.href)) throw new EgressRefused('INVALID_RESPONSE');
  const next = requireTarget(parseTarget(new URL(location, current.href)));
  if (next.origin === current.origin) return next;
  throw new EgressRefused(
    'EGRESS_BLOCKED',
    'The server redirected the call to another origin, which is not followed; use the final address.',
  );
}

function changeMethodForRedirect(status: number, outbound: Outbound): void {
  const becomesGet =
    (status === 303 && outbound.method !== 'HEAD') ||
    ((status === 301 || status === 302) && outbound.method === 'POST');
  if (!becomesGet) return;
  outbound.method = 'GET';
  outbound.body = null;
  for (const name of [...outbound.headers.keys()]) {
    if (name.startsWith('content-')) outbound.headers.delete(name);
  }
}

function responseOf(
  answer: Dispatcher.ResponseData,
  firstUrl: URL,
  finalUrl: URL,
  method: string,
  policy: EgressPolicy,
  lifetime: Deadline,
): Response {
  const { statusCode: status, body: source } = answer;
  try {
    const headers = headersOf(answer);
    const encoding = headers.get('content-encoding') ?? undefined;
    const isBodyless = method === 'HEAD' || bodylessStatuses.has(status);
    const maxBytes = policy.maxResponseBytes ?? defaultMaxResponseBytes;
    const body = isBodyless ? null : decodedBody(source, encoding, maxBytes, lifetime);
    if (isBodyless) {
      source.on('error', () => undefined).resume();
      lifetime.end();
    } else if (encoding !== undefined) {
      headers.delete('content-encoding');
      headers.delete('content-length');
    }
    const response = new Response(body, { status, headers });
    Object.defineProperties(response, {
      url: { value: finalUrl.href },
      redirected: { value: finalUrl !== firstUrl },
    });
    return response;
  } catch (error) {
    source.on('error', () => undefined).destroy();
    throw error instanceof EgressRefused ? error : new EgressRefused('INVALID_RESPONSE');
  }
}

function headersOf(answer: Dispatcher.ResponseData): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const single of [value ?? []].flat()) headers.append(name, single);
  }
  return headers;
}

function headerOf(answer: Dispatcher.ResponseData, name: string): string | undefined {
  return [answer.headers[name] ?? []].flat()[0];
}

function requireTarget(url: URL | undefined): URL {
  if (url !== undefined) return url;
  throw new EgressRefused(
    'EGRESS_BLOCKED',
    'Only http and https URLs without a user name and password can be called.',
  );
}

/**
 * The network access of one widget: only the origins that its resource declares, through the
 * service's egress policy, with limits on requests and bytes. Cookies are neither sent nor stored.
 */
import {
  mayRequest,
  refusedOrigin,
  Semaphore,
  type WidgetOrigins,
  type WidgetRequestKind,
} from '@proofmark/domain';
import { EgressRefused } from '../egress/egress-refused.ts';
import { mostOfNetwork, type PageRequest, type PageResponse } from './browser-messages.ts';

/**
 * The maximum number of concurrent requests, as in browsers. It limits how many answers are in
 * memory.
 */
const mostAtOnce = 6;
const mostBytes = 32 * 1024 * 1024;

const kinds: Readonly<Record<string, WidgetRequestKind>> = {
  fetch: 'connect',
  xhr: 'connect',
  eventsource: 'connect',
  ping: 'connect',
  script: 'resource',
  stylesheet: 'resource',
  image: 'resource',
  font: 'resource',
  media: 'resource',
};

/**
 * Returns a function that makes a request, and throws if it is not allowed or fails. `onRefused` is
 * called if the widget declares an origin but our policy blocks it.
 */
export function widgetNetwork(
  origins: WidgetOrigins,
  guardedFetch: typeof fetch,
  signal: AbortSignal,
  onRefused: (sentence: string) => void = () => undefined,
): (request: PageRequest) => Promise<PageResponse> {
  let requests = 0;
  let bytes = 0;
  const places = new Semaphore(mostAtOnce);
  const ask = async ({ url, method, headers, body }: PageRequest): Promise<PageResponse> => {
    if (bytes > mostBytes) throw new Error('The widget exceeded its limit of requests or data.');
    const { cookie: _, ...sent } = headers;
    const response = await guardedFetch(url, {
      method,
      headers: sent,
      signal,
      ...(body !== undefined && { body: new Uint8Array(body) }),
    }).catch((error: unknown) => {
      if (error instanceof EgressRefused && error.isOfAddress) {
        onRefused(refusedOrigin(new URL(url).origin, error.message));
      }
      throw error;
    });
    const answer = new Uint8Array(await response.arrayBuffer());
    bytes += answer.byteLength;
    const {
      'content-length': __,
      'set-cookie': ___,
      ...kept
    } = Object.fromEntries(response.headers);
    return { status: response.status, headers: kept, body: answer };
  };
  return async (request) => {
    const { url, resourceType } = request;
    if (!mayRequest(url, kinds[resourceType] ?? 'other', origins)) {
      throw new Error('The resource of the widget does not declare this origin.');
    }
    requests += 1;
    if (requests > mostOfNetwork.requests)
      throw new Error('The widget exceeded its limit of requests or data.');
    return places.run('', () => ask(request), { signal });
  };
}

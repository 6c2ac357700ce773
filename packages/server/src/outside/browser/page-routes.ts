/**
 * Handles every request of a page. The host page and the widget's document are served here,
 * requests to origins that the widget's resource declares go through the service's egress policy,
 * and all others are refused. The browser itself has no network access.
 */
import type { BrowserContext, Request, Route } from 'playwright-core';
import {
  type HostRequest,
  mostOfNetwork,
  type PageRequest,
  type PageResponse,
} from './browser-messages.ts';
import type { PageRecord } from './page-record.ts';
import { hostDocument, hostUrl, widgetUrl } from './page-scripts.ts';

/**
 * The maximum number of times that a widget's document is loaded. Without a limit, a widget could
 * reload itself endlessly.
 */
const mostLoads = 5;

export async function routeRequests(
  context: BrowserContext,
  { html, policy }: { readonly html: string; readonly policy: string },
  record: PageRecord,
  ask: (request: HostRequest) => Promise<unknown>,
): Promise<void> {
  let [loads, requests] = [0, 0];
  /**
   * Fetches through the service. Excess requests and large bodies are refused here, before they
   * reach the service.
   */
  const fetched = async (asked: PageRequest): Promise<unknown> => {
    requests += 1;
    const bodyBytes = asked.body?.byteLength ?? 0;
    const isTooMuch = requests > mostOfNetwork.requests || bodyBytes > mostOfNetwork.bodyBytes;
    if (isTooMuch) throw new Error('The widget exceeded its limit of requests or data.');
    return ask({ kind: 'fetch', fetch: asked });
  };
  const answer = async (route: Route, request: Request): Promise<void> => {
    const url = request.url();
    const isNavigation = request.isNavigationRequest();
    if (isNavigation && url === hostUrl && loads === 0) {
      return route.fulfill({ contentType: 'text/html; charset=utf-8', body: hostDocument });
    }
    if (isNavigation && url === widgetUrl && loads < mostLoads) {
      loads += 1;
      record.begin();
      return route.fulfill({
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' },
        body: html,
      });
    }
    if (isNavigation) {
      record.refuse('navigation', url);
      // With the reason `aborted`, the frame keeps the document that it shows.
      return route.abort('aborted');
    }
    const response = (await fetched(requestOf(request)).catch(() => {
      record.refuse('request', url);
    })) as PageResponse | undefined;
    if (response === undefined) return route.abort('blockedbyclient');
    const { status, headers, body } = response;
    return route.fulfill({ status, headers, body: Buffer.from(body) });
  };
  await context.route('**/*', (route, request) =>
    // If the page was closed meanwhile, the request needs no answer.
    answer(route, request).catch(() => undefined),
  );
  await context.routeWebSocket(/.*/, (socket) => {
    record.refuse('webSocket', socket.url());
    void socket.close({ code: 1008 });
  });
}

function requestOf(request: Request): PageRequest {
  const body = request.postDataBuffer();
  return {
    url: request.url(),
    resourceType: request.resourceType(),
    method: request.method(),
    headers: request.headers(),
    ...(body !== null && { body: new Uint8Array(body) }),
  };
}

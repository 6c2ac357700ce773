/**
 * Answers every HTTP request. All operations go through the same steps: find the caller, take a
 * token from the rate limit bucket, check the caller's rights and the input, run the action, send
 * the answer. The actions themselves are in other folders, except those of signing in.
 */

import {
  allOperations,
  basePaths,
  type Operation,
  publishedSchema,
  schemasPath,
} from '@proofmark/contract';
import { openApiDocument } from '@proofmark/contract/openapi';
import { isAllowedHost, Refused } from '@proofmark/domain';
import ipaddr from 'ipaddr.js';
import { isReportedDiskFull } from '../database/disk-full.ts';
import { answerError, answerRefusal } from './answer.ts';
import { type AddressedRequest, isPassedOn, type Network } from './client-address.ts';
import { deprecatedFor } from './deprecation-headers.ts';
import { handleOperation, type Served } from './handle-operation.ts';
import type { HttpFeatures } from './http-features.ts';
import type { HttpOptions } from './http-options.ts';
import type { Listener } from './listen.ts';
import { malformedRequest } from './malformed-request.ts';
import { mcpRoute } from './mcp-tools/mcp-route.ts';
import { oidcRoutes } from './oidc-routes.ts';
import { pageAnswer } from './pages.ts';
import { restoringAnswer } from './pausable-listener.ts';
import { probeRoutes } from './probe-routes.ts';
import { recordRequest } from './record-request.ts';
import { type Answer, type Handler, RequestExchange } from './request-exchange.ts';
import { Routes } from './routes.ts';
import { securityHeadersFor } from './security-headers.ts';
import { sendAnswer } from './send-answer.ts';

export function createRequestListener<Parts extends object>(
  options: HttpOptions,
  features: HttpFeatures<Parts>,
): Listener {
  const security = securityHeadersFor(options.publicUrl);
  const routes = routesOf(options, features as unknown as HttpFeatures);
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one list of refusals in their order, and one place for what is thrown.
  const answer = async (exchange: RequestExchange): Promise<Answer | undefined> => {
    try {
      const host = exchange.host;
      if (host === undefined || !exchange.path.startsWith('/')) return malformedRequest;
      if (!isAllowedHost(host, options.hostNames)) return answerRefusal(foreignHost);
      const route = routes.find(exchange.method, exchange.path);
      if (route === undefined)
        return pageAnswer(exchange, options.pages) ?? answerRefusal(noOperation);
      exchange.parameters = route.parameters;
      return await route.handler(exchange);
    } catch (error) {
      if (options.isLettingGo?.() && !(error instanceof Refused)) return restoringAnswer();
      if (isReportedDiskFull(error)) options.disk?.reportFull();
      return answerError(exchange, error, options.log);
    }
  };
  const watch = watchPassedOn(options.trustedProxies, options.log);
  return async (incoming, outgoing) => {
    const startedAt = performance.now();
    watch(incoming);
    const exchange = new RequestExchange(incoming, outgoing);
    try {
      const answered = await answer(exchange);
      if (answered !== undefined) sendAnswer(exchange, answered, security);
    } catch (error) {
      const { requestId, operationId } = exchange;
      options.log.error({ requestId, operationId, err: error }, 'answer could not be sent');
      outgoing.destroy();
    }
    recordRequest(exchange, options, performance.now() - startedAt);
  };
}

function routesOf(options: HttpOptions, features: HttpFeatures): Routes {
  const routes = new Routes();
  const served = { options, features };
  probeRoutes(routes, options);
  routes.add('GET', `${basePaths.api}/openapi.json`, apiDocumentAnswer());
  routes.add('GET', `${schemasPath}/{name}`, publishedSchemaAnswer());
  for (const row of allOperations) {
    routes.add(row.method, basePaths[row.surface] + row.path, (exchange) =>
      handleOperation(exchange, served, row),
    );
    if (row.olderAddress !== undefined)
      routes.add(row.method, row.olderAddress, olderAddressOf(row, served));
  }
  features.addRoutes(routes, options);
  mcpRoute(routes, served);
  oidcRoutes(routes, options);
  return routes;
}

function olderAddressOf(row: Operation, served: Served): Handler {
  const parameters = { projectId: 'default' };
  const successor = (basePaths[row.surface] + row.path).replace('{projectId}', 'default');
  return (exchange) => {
    exchange.parameters = parameters;
    exchange.extraHeaders = deprecatedFor(successor);
    return handleOperation(exchange, served, row);
  };
}

const foreignHost = {
  code: 'FORBIDDEN',
  message:
    'This host name does not belong to this installation; set PROOFMARK_PUBLIC_URL to add it.',
} as const;

/**
 * The document is created once, on the first request. It is public, since it contains nothing about
 * this installation.
 */
function apiDocumentAnswer(): Handler {
  let document: string | undefined;
  return (exchange) => {
    exchange.operationId = 'openapi';
    document ??= JSON.stringify(openApiDocument());
    return { status: 200, body: document };
  };
}

/**
 * Each schema is created on its first request. It is the same for everybody and public, like the
 * API document.
 */
function publishedSchemaAnswer(): Handler {
  const made = new Map<string, string>();
  return (exchange) => {
    exchange.operationId = 'schemas';
    const name = exchange.parameters['name'] ?? '';
    const text = made.get(name) ?? textOf(name);
    if (text === undefined) return answerRefusal(noOperation);
    made.set(name, text);
    return { status: 200, body: text, type: 'application/schema+json' };
  };
}

function textOf(name: string): string | undefined {
  const schema = publishedSchema(name);
  return schema && JSON.stringify(schema);
}

/** Logs a warning once, at the first request through an untrusted proxy. */
function watchPassedOn(
  trusted: readonly Network[],
  log: { warn(fields: object, sentence: string): void },
): (request: AddressedRequest) => void {
  let isWarned = false;
  return (request) => {
    if (isWarned || !isPassedOn(request, trusted)) return;
    isWarned = true;
    log.warn(proxyFields(request), untrustedProxy);
  };
}

const untrustedProxy =
  'Requests come through a proxy that is not trusted, so all its visitors count as one address. Set PROOFMARK_TRUSTED_PROXIES to the address of the proxy.';

/**
 * Returns the proxy's address for the log, but only if it is not public. Anybody on the internet
 * can send the headers of a proxy, so a public address may be a person's, and the log must contain
 * no address of a person.
 */
function proxyFields({ socket }: AddressedRequest): { readonly proxy?: string } {
  const proxy = (socket.remoteAddress ?? '').replace(/%.*$/s, '');
  if (!ipaddr.isValid(proxy)) return {};
  return ipaddr.process(proxy).range() === 'unicast' ? {} : { proxy };
}

const noOperation = {
  code: 'NOT_FOUND',
  message: 'This operation does not exist; see /reference.',
} as const;

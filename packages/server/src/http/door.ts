/**
 * The door. Every operation comes in here and is treated alike: who calls, is there a token in
 * their bucket, may they do this in that project, is the input well formed; then its action runs
 * and the answer goes out. Nothing in this room knows any operation but those of signing in.
 */
import { allOperations, basePaths, schemasPath } from '@proofmark/contract';
import { isAllowedHost, type RateLimit } from '@proofmark/domain';
import type { Oidc } from '../accounts/oidc/oidc.ts';
import type { ActionContext } from '../actions/action.ts';
import type { Readings } from '../actions/readings.ts';
import type { Database } from '../storage/database/database.ts';
import { answerError, answerRefusal } from './answer.ts';
import { apiDocumentAnswer } from './api-document.ts';
import { type Answer, Exchange } from './exchange.ts';
import { handleOperation } from './handle-operation.ts';
import type { Listener } from './listen.ts';
import { malformedRequest } from './malformed-request.ts';
import type { Metrics } from './metrics.ts';
import { oidcRoutes } from './oidc-routes.ts';
import { type Page, pageAnswer } from './pages.ts';
import { probeRoutes } from './probe-routes.ts';
import { publishedSchemaAnswer } from './published-schema.ts';
import { recordRequest } from './record-request.ts';
import { Routes } from './routes.ts';
import { securityHeadersFor } from './security-headers.ts';
import { sendAnswer } from './send-answer.ts';
import { uploadRoute } from './upload-route.ts';

export interface DoorOptions
  extends Pick<ActionContext, 'mcp' | 'models' | 'runLimits' | 'stdioAddressOf'> {
  readonly database: Database;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly rateLimit: RateLimit | 'off';
  /** Names by which the service may be addressed, beside addresses and localhost. */
  readonly hostNames: readonly string[];
  /** Where browsers see the service, when a proxy stands before it. */
  readonly publicUrl: string | undefined;
  readonly metricsToken: string | undefined;
  /** Whether the way out is open to an address, as far as the address alone tells. */
  readonly mayReach: (url: string) => boolean;
  readonly oidc: Oidc | undefined;
  readonly pages: ReadonlyMap<string, Page>;
  /** Answers that were put together before. */
  readonly readings: Readings;
}

/** What the rooms below the door need of a logger; `main` supplies it. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export function createDoor(options: DoorOptions): Listener {
  const security = securityHeadersFor(options.publicUrl);
  const routes = routesOf(options);
  const answer = async (exchange: Exchange): Promise<Answer | undefined> => {
    try {
      const host = exchange.header('host');
      if (host === undefined || !exchange.path.startsWith('/')) return malformedRequest;
      if (!isAllowedHost(host, options.hostNames)) return answerRefusal(foreignHost);
      const route = routes.find(exchange.method, exchange.path);
      if (route === undefined)
        return pageAnswer(exchange, options.pages) ?? answerRefusal(noOperation);
      exchange.parameters = route.parameters;
      return await route.handler(exchange);
    } catch (error) {
      return answerError(exchange, error, options.log);
    }
  };
  return async (incoming, outgoing) => {
    const startedAt = performance.now();
    const exchange = new Exchange(incoming, outgoing);
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

function routesOf(options: DoorOptions): Routes {
  const routes = new Routes();
  probeRoutes(routes, options);
  routes.add('GET', `${basePaths.api}/openapi.json`, apiDocumentAnswer());
  routes.add('GET', `${schemasPath}/{name}`, publishedSchemaAnswer());
  for (const row of allOperations) {
    routes.add(row.method, basePaths[row.surface] + row.path, (exchange) =>
      handleOperation(exchange, options, row),
    );
  }
  uploadRoute(routes, options);
  oidcRoutes(routes, options);
  return routes;
}

const foreignHost = {
  code: 'FORBIDDEN',
  message: 'This host name is not one of this installation; set PROOFMARK_PUBLIC_URL to add it.',
} as const;

export const noOperation = {
  code: 'NOT_FOUND',
  message: 'There is no such operation; see /reference.',
} as const;

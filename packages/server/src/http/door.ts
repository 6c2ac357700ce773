/**
 * The door. Every operation comes in here and is treated alike: who calls, is there a token in
 * their bucket, may they do this in that project, is the input well formed; then its action runs
 * and the answer goes out. Nothing in this room knows any operation but those of signing in.
 */
import type { HttpBindings } from '@hono/node-server';
import { allOperations, basePaths, schemasPath } from '@proofmark/contract';
import { isAllowedHost, type RateLimit } from '@proofmark/domain';
import { type Context, Hono } from 'hono';
import type { Oidc } from '../accounts/oidc/oidc.ts';
import type { Readings } from '../actions/readings.ts';
import type { Database } from '../storage/database.ts';
import { answerRefusal } from './answer.ts';
import { apiDocumentAnswer } from './api-document.ts';
import { handleOperation } from './handle-operation.ts';
import type { Metrics } from './metrics.ts';
import { oidcRoutes } from './oidc-routes.ts';
import { type Page, pageAnswer } from './pages.ts';
import { probeRoutes } from './probe-routes.ts';
import { publishedSchemaAnswer } from './published-schema.ts';
import { securityHeadersFor } from './security-headers.ts';
import { startRequest } from './start-request.ts';
import { uploadRoute } from './upload-route.ts';

export interface DoorOptions {
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

export type DoorEnvironment = {
  Bindings: HttpBindings;
  Variables: { requestId: string; operationId?: string; hasOwnHeaders?: boolean };
};

export function createDoor(options: DoorOptions): Hono<DoorEnvironment> {
  const app = new Hono<DoorEnvironment>({ strict: true });
  const security = securityHeadersFor(options.publicUrl);
  app.use(async (context, next) => {
    const finish = startRequest(context, options);
    if (isAllowedHost(context.req.header('host'), options.hostNames)) await next();
    else context.res = answerRefusal(context, foreignHost);
    if (!context.get('hasOwnHeaders')) setOn(context, security);
    finish(context.res.status);
  });
  probeRoutes(app, options);
  app.get(`${basePaths.api}/openapi.json`, apiDocumentAnswer());
  app.get(`${schemasPath}/:name`, publishedSchemaAnswer());
  for (const row of allOperations) {
    const path = basePaths[row.surface] + row.path.replace(/\{(\w+)\}/g, ':$1');
    app.on(row.method, path, (context) => handleOperation(context, options, row, security));
  }
  uploadRoute(app, options);
  oidcRoutes(app, options);
  app.notFound(
    (context) => pageAnswer(context, options.pages) ?? answerRefusal(context, noOperation),
  );
  app.onError((error, context) => answerRefusal(context, error, options.log));
  return app;
}

/** On the answer of node itself, so that a page can replace what it must. */
function setOn(context: Context<DoorEnvironment>, headers: Readonly<Record<string, string>>): void {
  const { outgoing } = context.env;
  for (const name in headers) outgoing.setHeader(name, headers[name] as string);
  outgoing.setHeader('x-request-id', context.get('requestId'));
}

const foreignHost = {
  code: 'FORBIDDEN',
  message: 'This host name is not one of this installation; set PROOFMARK_PUBLIC_URL to add it.',
} as const;

const noOperation = {
  code: 'NOT_FOUND',
  message: 'There is no such operation; see /reference.',
} as const;

/**
 * The API document, derived from the rows of the public surface. Every shape with an id becomes a
 * named component; error answers are one component per status, each listing its codes.
 */
import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { RefusalCode } from '@proofmark/domain';
import * as z from 'zod';
import { ErrorBody, errorMeaning, errorStatus } from './errors.ts';
import { Id } from './fields.ts';
import { basePaths, type Operation, pathParameters, refusalsOf } from './operation.ts';
import { allOperations } from './operations.ts';
import { version } from './version.ts';

export function openApiDocument(): Record<string, unknown> {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, made in the console. It starts with sk_.',
  });
  const rows = allOperations.filter((row) => row.surface === 'api');
  for (const row of rows) registerRow(registry, row);
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Proofmark API',
      version,
      description:
        'Test, evaluate and gate MCP servers. Errors are { code, message, details? }; collections are { items, nextCursor? } with opaque cursors; clients ignore unknown fields.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The operator of this installation' },
    },
    servers: [{ url: basePaths.api, description: 'This installation.' }],
    security: [{ apiKey: [] }],
    tags: tagsOf(rows),
  }) as unknown as Record<string, unknown>;
}

function registerRow(registry: OpenAPIRegistry, row: Operation): void {
  const names = pathParameters(row.path);
  const query = queryOf(row);
  registry.registerPath({
    method: row.method.toLowerCase() as 'get',
    path: row.path,
    operationId: row.operationId,
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    security: [{ apiKey: [] }],
    request: {
      ...(names.length > 0 && {
        params: z.object(Object.fromEntries(names.map((name) => [name, Id]))),
      }),
      ...(query !== undefined && { query }),
      ...(row.body !== undefined && {
        body: { required: true, content: { 'application/json': { schema: row.body } } },
      }),
    },
    responses: {
      [row.status]: {
        description: 'Success.',
        content: { 'application/json': { schema: row.output } },
      },
      ...errorResponses(refusalsOf(row)),
    },
  });
}

function queryOf(row: Operation): z.ZodObject | undefined {
  if (row.page === undefined) return row.query;
  const page = {
    limit: z
      .int()
      .min(1)
      .max(200)
      .default(row.page.defaultLimit)
      .optional()
      .meta({ description: 'Rows per page. An integer outside 1 to 200 is brought into it.' }),
    [row.page.cursorParameter]: z
      .string()
      .optional()
      .meta({ description: 'The nextCursor of the page before.' }),
  };
  return z.object({ ...row.query?.shape, ...page });
}

function errorResponses(codes: readonly RefusalCode[]) {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of codes) {
    const status = errorStatus[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, object> = {};
  for (const [status, named] of [...byStatus].sort(([one], [other]) => one - other)) {
    responses[status] = {
      description: named.map((code) => `${code}: ${errorMeaning[code]}`).join(' '),
      ...(status === 429 && { headers: retryAfter }),
      content: { 'application/json': { schema: ErrorBody } },
    };
  }
  return responses as Record<string, { description: string }>;
}

const retryAfter = {
  'Retry-After': {
    description: 'Whole seconds after which the next request passes.',
    schema: { type: 'integer' as const, minimum: 1 },
  },
};

const tagDescriptions: Readonly<Record<string, string>> = {
  Catalog: 'The account, its organizations, projects and chat sessions.',
  Servers: 'Saved MCP servers.',
  'Eval suites': 'Eval suites and their latest runs.',
};

function tagsOf(rows: readonly Operation[]) {
  return [...new Set(rows.map((row) => row.tag))].map((name) => ({
    name,
    description: tagDescriptions[name] ?? name,
  }));
}

/**
 * The OpenAPI document, derived from the operations of the public API. Every schema with an id
 * becomes a named component. Error responses list their codes by status.
 */
import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { DecisionCounts, DecisionSummary, type RefusalCode } from '@proofmark/domain';
import * as z from 'zod';
import { ErrorBody } from './error-body.ts';
import { errorMeaning, errorStatus } from './errors.ts';
import { Id } from './fields.ts';
import { IdempotencyKey } from './idempotency-key.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import {
  basePaths,
  bodyLimitBytes,
  bodyMayBeLeftOut,
  idempotencyKeyHeader,
  type Operation,
  pathParameters,
  refusalsOf,
} from './operation.ts';
import { allOperations } from './operations.ts';
import { version } from './version.ts';

export function openApiDocument(): Record<string, unknown> {
  const registry = new OpenAPIRegistry();
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key, created in the console. It starts with sk_. A read-only key can only read; a run-only key can also launch runs of saved suites, cancel runs and report results; any other request is FORBIDDEN with the reason KEY_SCOPE.',
  });
  const rows = allOperations.filter((row) => row.surface === 'api');
  const components = new Map<string, JsonSchema>();
  const refer = (shape: z.ZodType) => component(components, shape);
  for (const row of rows) registerRow(registry, row, refer);
  nameCounts(components, refer);
  for (const [name, schema] of components) {
    registry.registerComponent('schemas', name, withDiscriminator(schema, components));
  }
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

type Refer = (shape: z.ZodType) => JsonSchema;

function registerRow(registry: OpenAPIRegistry, row: Operation, refer: Refer): void {
  const names = pathParameters(row.path);
  const query = queryOf(row);
  registry.registerPath({
    method: row.method.toLowerCase() as 'get',
    path: row.path,
    operationId: row.operationId,
    tags: [row.tag],
    ...(row.deprecated && { deprecated: true }),
    summary: row.summary,
    description: descriptionOf(row),
    security: [{ apiKey: [] }],
    request: {
      ...(names.length > 0 && {
        params: z.object(Object.fromEntries(names.map((name) => [name, pathId(row, name)]))),
      }),
      ...(query !== undefined && { query }),
      ...(row.idempotent && { headers: z.object({ [idempotencyKeyHeader]: keyInHeader }) }),
      ...(row.body !== undefined && {
        body: {
          required: !bodyMayBeLeftOut(row),
          description: `JSON of at most ${bodyLimitBytes(row).toLocaleString('en-US')} bytes.`,
          content: { 'application/json': { schema: refer(row.body) } },
        },
      }),
    },
    responses: {
      [row.status]: {
        description: 'Success.',
        ...(row.answerHeaders && { headers: headersOf(row.answerHeaders) }),
        content: row.answersPng ? png : { 'application/json': { schema: refer(row.output) } },
      },
      ...(row.statusIfThere && {
        [row.statusIfThere]: {
          description: 'It already existed.',
          content: { 'application/json': { schema: refer(row.output) } },
        },
      }),
      ...errorResponses(refusalsOf(row), refer),
    },
  });
}

function descriptionOf({ description, olderAddress }: Operation): string {
  if (olderAddress === undefined) return description;
  return `${description} Deprecated alias: ${olderAddress}, at the root of this installation, for the Default project of the organization of the key; its answers have the header Deprecation: true.`;
}

const png = { 'image/png': { schema: { type: 'string' as const, contentMediaType: 'image/png' } } };

const keyInHeader = IdempotencyKey.optional().meta({
  description:
    'A repeated request with the same key and the same content returns the first answer and creates nothing a second time.',
});

function queryOf(row: Operation): z.ZodObject | undefined {
  if (row.page === undefined) return row.query;
  const page = {
    limit: z
      .int()
      .min(1)
      .max(200)
      .default(row.page.defaultLimit)
      .optional()
      .meta({
        description: `${limitMeaning(row.page)} A number below 1 counts as 1, and one above 200 as 200.`,
      }),
    [row.page.cursorParameter]: z
      .string()
      .optional()
      .meta({ description: 'The nextCursor of the previous page.' }),
  };
  return z.object({ ...row.query?.shape, ...page });
}

function limitMeaning(page: NonNullable<Operation['page']>): string {
  return page.counts ?? 'Rows per page.';
}

function pathId(row: Operation, name: string): z.ZodType {
  if (!row.ingestion || name !== 'projectId') return Id;
  return Id.meta({
    description:
      'The id of a project, or `default` for the Default project of the organization of the key.',
  });
}

function component(components: Map<string, JsonSchema>, shape: z.ZodType): JsonSchema {
  const { schema, named } = jsonSchemaOf(shape, componentsPath);
  for (const [name, inner] of Object.entries(named)) components.set(name, inner);
  return schema;
}

/** A summary contains one of two kinds of counts. Both kinds get one published type. */
function nameCounts(components: Map<string, JsonSchema>, refer: Refer): void {
  const name = DecisionSummary.meta()?.id ?? '';
  const counts = refer(DecisionCounts);
  components.set(name, { ...components.get(name), properties: { counts } });
}

/** Adds the discriminator to a union of named schemas, because Zod writes a plain `oneOf`. */
function withDiscriminator(
  schema: JsonSchema,
  components: ReadonlyMap<string, JsonSchema>,
): JsonSchema {
  const members = (schema['oneOf'] ?? []) as { readonly $ref?: string }[];
  const shapes = members.map(({ $ref = '' }) => components.get($ref.replace(componentsPath, '')));
  const constants = shapes.map((shape) =>
    Object.entries((shape?.['properties'] ?? {}) as Record<string, { const?: unknown }>).filter(
      ([, property]) => property.const !== undefined,
    ),
  );
  const propertyName = constants[0]?.find(([name, { const: own }]) =>
    constants
      .slice(1)
      .every((others) => others.some(([other, value]) => other === name && value.const !== own)),
  )?.[0];
  if (propertyName === undefined) return schema;
  const mapping = Object.fromEntries(
    members.map(({ $ref }, index) => [
      String(constants[index]?.find(([name]) => name === propertyName)?.[1].const),
      $ref,
    ]),
  );
  return { ...schema, discriminator: { propertyName, mapping } };
}

const componentsPath = '#/components/schemas/';

function errorResponses(codes: readonly RefusalCode[], refer: Refer) {
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
      content: { 'application/json': { schema: refer(ErrorBody) } },
    };
  }
  return responses as Record<string, { description: string }>;
}

const retryAfter = {
  'Retry-After': {
    description: 'The number of seconds after which a request is accepted again.',
    schema: { type: 'integer' as const, minimum: 1 },
  },
};

function headersOf(described: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' as const } },
    ]),
  );
}

const tagDescriptions: Readonly<Record<string, string>> = {
  Catalog: 'The account, its organizations, projects and chat sessions.',
  Models: 'The models that can be used here.',
  Servers: 'Saved MCP servers.',
  'Eval suites': 'Eval suites and their latest runs.',
  'Eval runs': 'Runs, their trials and traces, and the explanation of their verdict.',
  Sessions: 'Conversations and trials of a project in one list.',
  'Trace export': 'Traces for tools that read OpenTelemetry.',
  'Gate waivers': 'Temporary permissions for failing runs to pass their gate.',
  Quarantine: 'Flaky cases that may fail for a time without failing the gate.',
  'Eval ingestion': 'Results of runs that were executed elsewhere.',
};

function tagsOf(rows: readonly Operation[]) {
  return [...new Set(rows.map((row) => row.tag))].map((name) => ({
    name,
    description: tagDescriptions[name] ?? name,
  }));
}

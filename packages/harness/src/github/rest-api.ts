import { Ajv, type ValidateFunction } from 'ajv';
import excerpt from './rest-api.json' with { type: 'json' };

type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface GithubOperation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Schema;
  readonly responses: Readonly<Record<string, Schema>>;
}

export type GithubOperationName = keyof typeof excerpt.operations;

const operations: Readonly<Record<string, GithubOperation>> = excerpt.operations;
const ajv = new Ajv({
  strict: false,
  allErrors: true,
  coerceTypes: false,
  formats: {
    uri: (text) => URL.canParse(text),
    'date-time': (text) => !Number.isNaN(Date.parse(text)),
    int64: { type: 'number', validate: Number.isSafeInteger },
  },
});
const compiled = new Map<Schema, ValidateFunction>();

function problemOf(schema: Schema, value: unknown): string | undefined {
  const { components } = excerpt;
  const known = compiled.get(schema) ?? ajv.compile({ ...schema, components });
  compiled.set(schema, known);
  return known(value) ? undefined : ajv.errorsText(known.errors);
}

export interface GithubRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: unknown;
}

export interface ReadRequest {
  readonly operation?: GithubOperationName;
  readonly path: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/**
 * Returns the operation that a request calls, and how the request differs from the published
 * description. A field that the description lacks counts as a difference.
 */
export function readGithubRequest({ method, url, body }: GithubRequest): ReadRequest {
  for (const [operation, { parameters, requestBody }] of Object.entries(operations)) {
    const path = pathValues(operation, method, url.pathname);
    if (path === undefined) continue;
    const given = { ...path, ...Object.fromEntries(url.searchParams) };
    return {
      operation: operation as GithubOperationName,
      path,
      problems: [...parameterProblems(parameters, given), ...bodyProblems(requestBody, body)],
    };
  }
  return { path: {}, problems: [`${method} ${url.pathname} is not described`] };
}

function pathValues(
  operation: string,
  method: string,
  place: string,
): Record<string, string> | undefined {
  const [ownMethod, template = ''] = operation.split(' ');
  const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const found = new RegExp(`^${pattern}$`).exec(place);
  return found === null || ownMethod !== method ? undefined : { ...found.groups };
}

function parameterProblems(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, string>>,
): string[] {
  const unknown = Object.keys(given).filter((name) => !parameters.some((one) => one.name === name));
  const wrong = parameters.flatMap(({ name, required, schema }) => {
    const text = given[name];
    if (text === undefined) return required === true ? [`${name} is missing`] : [];
    const value = schema['type'] === 'integer' ? Number(text) : text;
    return problemOf(schema, value)?.replaceAll('data', name) ?? [];
  });
  return [...unknown.map((name) => `${name} is not described`), ...wrong];
}

function bodyProblems(schema: Schema | undefined, body: unknown): string[] {
  if (schema === undefined) return body === undefined ? [] : ['there is a body'];
  const described = Object.keys(schema['properties'] as object);
  const unknown = Object.keys((body ?? {}) as object).filter((name) => !described.includes(name));
  return [
    ...unknown.map((name) => `${name} is not described`),
    problemOf(schema, body) ?? [],
  ].flat();
}

/** Returns undefined if the response matches the published description. */
export function githubAnswerProblem(
  operation: GithubOperationName,
  status: number,
  body: unknown,
): string | undefined {
  const schema = operations[operation]?.responses[status];
  return schema === undefined ? `${status} is not described` : problemOf(schema, body);
}

export function annotationsProblem(annotations: readonly object[]): string | undefined {
  return problemOf(excerpt.annotations, annotations);
}

export function smallestGithub(name: keyof typeof excerpt.components.schemas): object {
  return smallest(excerpt.components.schemas[name]) as object;
}

function smallest(schema: Schema): unknown {
  const { type, format, properties, required = [], enum: words } = schema as SchemaParts;
  if (words !== undefined) return words[0];
  if (type === 'object') {
    return Object.fromEntries(required.map((name) => [name, smallestOf(properties?.[name])]));
  }
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (format === 'uri') return 'https://github.invalid/';
  return format === 'date-time' ? '2026-01-02T03:04:05Z' : 'a';
}

interface SchemaParts {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}

function smallestOf(schema: Schema = {}): unknown {
  const { $ref } = schema as { readonly $ref?: string };
  const name = $ref?.split('/').at(-1) as keyof typeof excerpt.components.schemas | undefined;
  return smallest(name === undefined ? schema : excerpt.components.schemas[name]);
}

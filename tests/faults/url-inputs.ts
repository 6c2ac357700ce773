/**
 * Builds a request template for every field of an API body that takes a URL. `{target}` is the URL
 * of that field, `{elsewhere}` any other required URL, and `{n}` a number.
 */
import { allOperations, type Operation } from '@proofmark/contract';
import * as z from 'zod';

export interface Template {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface UrlInput extends Template {
  readonly field: string;
}

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export function urlInputs(): UrlInput[] {
  return allOperations
    .filter((row) => row.surface === 'api')
    .flatMap((row) => {
      const whole = schemaOf(row);
      return urlPaths(whole, whole, [], 0).map((path) => templateOf(row, path));
    });
}

export function outboundTemplates(): Template[] {
  return allOperations.filter(({ outbound }) => outbound).map((row) => templateOf(row, []));
}

/** Returns a request with all required fields. Nested objects have their optional fields too. */
function templateOf(row: Operation, path: readonly string[]): UrlInput {
  const whole = schemaOf(row);
  const body = { ...(exampleOf(whole, whole, '') as object), ...beside[row.operationId] };
  let at = body as Record<string, unknown>;
  for (const name of path.slice(0, -1)) {
    at[name] ??= {};
    at = at[name] as Record<string, unknown>;
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = '{target}';
  const { operationId, method } = row;
  return { operationId, method, path: row.path, body: JSON.stringify(body), field: path.join('.') };
}

/**
 * Fields that are sent in addition. With renewable tokens, the service contacts the issuer of the
 * tokens.
 */
const beside: Readonly<Record<string, object>> = {
  importOAuthTokens: { clientInformation: { clientId: 'a-client' } },
};

function schemaOf(row: Operation): Schema {
  if (row.body === undefined) return {};
  return z.toJSONSchema(row.body, { io: 'input', unrepresentable: 'any' }) as Schema;
}

const deepest = 12;
/** Answers to the questions of servers. Their addresses are compared and never opened. */
const comparedOnly = 'elicitations';

function urlPaths(
  whole: Schema,
  given: Schema,
  path: readonly string[],
  depth: number,
): string[][] {
  if (depth > deepest) return [];
  const schema = resolved(whole, given);
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (name === comparedOnly) return [];
    const here = [...path, name];
    return isUrl(name, resolved(whole, field)) ? [here] : urlPaths(whole, field, here, depth + 1);
  });
  const others = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  return [...inside, ...others.flatMap((other) => urlPaths(whole, other, path, depth + 1))];
}

function isUrl(name: string, schema: Schema): boolean {
  return /ur[il]$/i.test(name) || schema.format === 'uri';
}

function exampleOf(whole: Schema, given: Schema, name: string): unknown {
  const schema = resolved(whole, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return exampleOf(whole, schema.anyOf[0], name);
  if (isUrl(name, schema)) return '{elsewhere}';
  if (schema.type === 'string') return 'x{n}';
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return [];
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1;
  const fields = name === '' ? schema.required : Object.keys(schema.properties ?? {});
  return Object.fromEntries(
    (fields ?? []).map((field) => [
      field,
      exampleOf(whole, schema.properties?.[field] ?? {}, field),
    ]),
  );
}

function resolved(whole: Schema, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/$defs/', '');
  if (schema.$ref === '#') return whole;
  return name === undefined ? schema : (whole.$defs?.[name] ?? {});
}

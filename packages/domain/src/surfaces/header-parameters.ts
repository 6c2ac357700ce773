/**
 * Checks `x-mcp-header`, with which a tool asks clients to send a parameter also as an HTTP header.
 * Clients must reject a tool with an invalid header. The header must be a non-empty HTTP token,
 * unique regardless of case. Its parameter must be a string, integer or boolean that is reached
 * through `properties` alone.
 */
import { pointerPart } from '../assertions/json-pointer.ts';
import { isRecord, type Json } from '../kernel/json.ts';

export interface HeaderFault {
  /** A JSON pointer into the input schema. */
  readonly path: string;
  readonly problem: string;
}

const keyword = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
const deepest = 50;

export function headerFaults(inputSchema: unknown): HeaderFault[] {
  const names = new Set<string>();
  return [...schemasIn(inputSchema, '', true, 0)].flatMap(({ schema, path, isReached }) => {
    if (!Object.hasOwn(schema, keyword)) return [];
    const problem = problemOf(schema, path, isReached, names);
    return problem === undefined ? [] : [{ path: `${path}/${keyword}`, problem }];
  });
}

interface PlacedSchema {
  readonly schema: Json;
  readonly path: string;
  /** Whether the path to the schema consists only of `properties`. */
  readonly isReached: boolean;
}

function* schemasIn(
  value: unknown,
  path: string,
  isReached: boolean,
  depth: number,
): Generator<PlacedSchema> {
  if (depth > deepest) return;
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) {
      yield* schemasIn(one, `${path}/${at}`, false, depth + 1);
    }
  }
  if (!isRecord(value)) return;
  yield { schema: value, path, isReached };
  for (const [key, child] of Object.entries(value)) {
    const at = `${path}/${pointerPart(key)}`;
    if (schemas.has(key)) yield* schemasIn(child, at, false, depth + 1);
    if (!namedSchemas.has(key) || !isRecord(child)) continue;
    const isChain = isReached && key === 'properties';
    for (const [name, own] of Object.entries(child)) {
      yield* schemasIn(own, `${at}/${pointerPart(name)}`, isChain, depth + 1);
    }
  }
}

function problemOf(
  schema: Json,
  path: string,
  isReached: boolean,
  names: Set<string>,
): string | undefined {
  const header = schema[keyword];
  if (!isReached || path === '')
    return 'it is not on a parameter that can be reached through properties alone';
  if (typeof header !== 'string' || header === '') return 'it is not a non-empty text';
  if (!token.test(header)) return `${JSON.stringify(header)} is not an HTTP token`;
  if (!types.has(schema['type'])) return 'the parameter is not a string, integer or boolean';
  const isKnown = names.has(header.toLowerCase());
  names.add(header.toLowerCase());
  return isKnown ? `${JSON.stringify(header)} is used twice` : undefined;
}

const schemas: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties'],
  ...['unevaluatedItems', 'propertyNames', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
]);
const namedSchemas: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
]);

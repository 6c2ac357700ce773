/**
 * Checks `x-mcp-header`, with which a tool asks clients to send a parameter also as an HTTP header.
 * Clients must reject a tool with an invalid header. The header must be a non-empty HTTP token,
 * unique regardless of case. Its parameter must be a string, integer or boolean that is reached
 * through `properties` alone.
 */
import { pointerPart } from '../assertions/json-pointer.ts';
import { isRecord, type Json } from '../kernel/json.ts';

export const headerFaultReasons = [
  'empty',
  'notToken',
  'duplicate',
  'notPrimitive',
  'notReachable',
] as const;
export type HeaderFaultReason = (typeof headerFaultReasons)[number];

export interface HeaderFault {
  readonly reason: HeaderFaultReason;
  /** A JSON pointer into the input schema. */
  readonly path: string;
  readonly problem: string;
}

const keyword = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Deeper than any message of a server may be. */
const deepest = 200;
const longestHeaderShown = 100;

export function headerFaults(inputSchema: unknown): HeaderFault[] {
  const names = new Set<string>();
  return [...schemasIn(inputSchema, '', true, 0)].flatMap((placed) => {
    if (!Object.hasOwn(placed.schema, keyword)) return [];
    const found = faultOf(placed, names);
    return found === undefined ? [] : [{ ...found, path: `${placed.path}/${keyword}` }];
  });
}

/**
 * Returns the part of a schema that states which parameters are sent as headers; undefined if none
 * is. The schema must have no faults.
 */
export function headerPartOf(inputSchema: unknown, depth = 0): Json | undefined {
  if (!isRecord(inputSchema) || depth > deepest) return undefined;
  const { properties, type } = inputSchema;
  const header = inputSchema[keyword];
  const parts = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, own]) => {
    const part = headerPartOf(own, depth + 1);
    return part === undefined ? [] : [[name, part] as const];
  });
  if (header === undefined && parts.length === 0) return undefined;
  return {
    type,
    ...(header !== undefined && { [keyword]: header }),
    ...(parts.length > 0 && { properties: Object.fromEntries(parts) }),
  };
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

function faultOf(
  { schema, path, isReached }: PlacedSchema,
  names: Set<string>,
): Omit<HeaderFault, 'path'> | undefined {
  const header = schema[keyword];
  if (!isReached || path === '') {
    const problem = 'it is not on a parameter that can be reached through properties alone';
    return { reason: 'notReachable', problem };
  }
  if (header === '' || header === null) return { reason: 'empty', problem: 'it is empty' };
  if (typeof header !== 'string') return { reason: 'notToken', problem: 'it is not a text' };
  const shown = JSON.stringify(header.slice(0, longestHeaderShown));
  if (!token.test(header)) return { reason: 'notToken', problem: `${shown} is not an HTTP token` };
  if (!types.has(schema['type'])) {
    return {
      reason: 'notPrimitive',
      problem: 'the parameter is not a string, integer or boolean',
    };
  }
  const isKnown = names.has(header.toLowerCase());
  names.add(header.toLowerCase());
  return isKnown ? { reason: 'duplicate', problem: `${shown} is used twice` } : undefined;
}

const schemas: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties'],
  ...['unevaluatedItems', 'propertyNames', 'oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'],
]);
const namedSchemas: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
]);

/**
 * The effect of a schema change on the allowed values.
 *
 * - `widened`: all earlier values are still allowed, and more.
 * - `narrowed`: some earlier values are no longer allowed.
 * - `breaking`: each side allows values that the other does not, or the change is too complex to
 *   analyze.
 * - `words`: only descriptions changed.
 *
 * If the two schemas are exchanged, `widened` becomes `narrowed` and the reverse; the other effects
 * stay.
 */

import { pointerPart } from '../assertions/json-pointer.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord, type Json } from '../kernel/json.ts';

export const surfaceEffects = ['breaking', 'narrowed', 'widened', 'words'] as const;
export type SurfaceEffect = (typeof surfaceEffects)[number];

export interface SchemaChange {
  /** A JSON pointer into the schema. */
  readonly path: string;
  /** Null if this side has no value. The same applies to `after`. */
  readonly before: unknown;
  readonly after: unknown;
  readonly effect: SurfaceEffect;
}

export function schemaChanges(before: unknown, after: unknown): SchemaChange[] {
  return compare(before, after, '', 0);
}

/**
 * The nesting depth up to which schemas are compared: deeper than hand-written schemas, but safe
 * for the call stack.
 */
const deepest = 40;

function compare(was: unknown, is: unknown, path: string, depth: number): SchemaChange[] {
  if (spelled(was) === spelled(is)) return [];
  if (!isRecord(was) || !isRecord(is) || depth > deepest) {
    return [change(path, was, is, constraintEffect(open(was), open(is)))];
  }
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
  return keys.flatMap((key): SchemaChange[] => {
    const [one, other] = [held(was, key), held(is, key)];
    if (spelled(one) === spelled(other)) return [];
    const at = `${path}/${pointerPart(key)}`;
    if (key === 'properties' || key === 'patternProperties') {
      return compareProperties(was, is, key, at, depth);
    }
    if (key === 'required') return compareRequired(was, is, at);
    if (namesSchemas.has(key)) return compareNamed(one, other, at, depth);
    if (holdsSchema.has(key)) return compare(one, other, at, depth + 1);
    return [change(at, one, other, effectOf(key, one, other))];
  });
}

const saysOnly = new Set(
  'title description examples default deprecated readOnly writeOnly $comment $schema $id $anchor'.split(
    ' ',
  ),
);
const namesSchemas = new Set(['$defs', 'definitions']);
/** Keywords whose value is a schema. A missing keyword allows everything. */
const holdsSchema = new Set(
  'items additionalProperties unevaluatedProperties contains propertyNames'.split(' '),
);
const leastOf = new Set(
  'minimum exclusiveMinimum minLength minItems minProperties minContains'.split(' '),
);
const mostOf = new Set(
  'maximum exclusiveMaximum maxLength maxItems maxProperties maxContains'.split(' '),
);
const alternatives = new Set(['enum', 'anyOf', 'oneOf']);

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of keywords and what a change of each means, in the order in which they apply.
function effectOf(key: string, was: unknown, is: unknown): SurfaceEffect {
  if (saysOnly.has(key)) return 'words';
  if (was === undefined || is === undefined) return constraintEffect(was, is);
  if (key === 'type') return effectOfSets(typesOf(was), typesOf(is));
  if (alternatives.has(key)) return effectOfSets(spellings(was), spellings(is));
  // A value must match every schema in the list, so a longer list allows less.
  if (key === 'allOf') return turned(effectOfSets(spellings(was), spellings(is)));
  if (typeof was === 'number' && typeof is === 'number') {
    if (leastOf.has(key)) return is < was ? 'widened' : 'narrowed';
    if (mostOf.has(key)) return is > was ? 'widened' : 'narrowed';
  }
  if (typeof was === 'boolean' && typeof is === 'boolean') return is ? 'narrowed' : 'widened';
  return 'breaking';
}

/** A new constraint allows fewer values, and a removed one allows more. */
function constraintEffect(was: unknown, is: unknown): SurfaceEffect {
  if (was === undefined && is === undefined) return 'words';
  if (was === undefined) return 'narrowed';
  if (is === undefined) return 'widened';
  if (was === false) return 'widened';
  return is === false ? 'narrowed' : 'breaking';
}

/** Returns undefined for a schema without any constraint, such as `true` or `{}`. */
function open(schema: unknown): unknown {
  return schema === true || (isRecord(schema) && Object.keys(schema).length === 0)
    ? undefined
    : schema;
}

function effectOfSets(was: ReadonlySet<string>, is: ReadonlySet<string>): SurfaceEffect {
  const isLost = [...was].some((one) => !is.has(one));
  const isGained = [...is].some((one) => !was.has(one));
  if (isLost && isGained) return 'breaking';
  if (isLost) return 'narrowed';
  return isGained ? 'widened' : 'words';
}

export function turned(effect: SurfaceEffect): SurfaceEffect {
  if (effect === 'widened') return 'narrowed';
  return effect === 'narrowed' ? 'widened' : effect;
}

/** Returns the allowed types. `number` includes `integer`. */
function typesOf(value: unknown): Set<string> {
  const types = spellings(value);
  if (types.has('"number"')) types.add('"integer"');
  return types;
}

function spellings(value: unknown): Set<string> {
  return new Set((Array.isArray(value) ? value : [value]).map(spelled));
}

function compareProperties(
  was: Json,
  is: Json,
  key: 'properties' | 'patternProperties',
  path: string,
  depth: number,
): SchemaChange[] {
  const before = recordOf(was[key]);
  const after = recordOf(is[key]);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name): SchemaChange[] => {
    const at = `${path}/${pointerPart(name)}`;
    const [one, other] = [held(before, name), held(after, name)];
    if (one !== undefined && other !== undefined) return compare(one, other, at, depth + 1);
    const isNeeded = requiredOf(one === undefined ? is : was).has(name);
    const effect = one === undefined ? 'widened' : 'narrowed';
    return [change(at, one, other, isNeeded ? 'breaking' : effect)];
  });
}

/**
 * Compares required names. Names of added and removed parameters are skipped, since the change of
 * the parameter itself reports them.
 */
function compareRequired(was: Json, is: Json, path: string): SchemaChange[] {
  const [before, after] = [recordOf(was['properties']), recordOf(is['properties'])];
  const stays = (name: string) => Object.hasOwn(before, name) === Object.hasOwn(after, name);
  const [one, other] = [was, is].map((side) => [...requiredOf(side)].filter(stays).sort());
  if (one === undefined || other === undefined || spelled(one) === spelled(other)) return [];
  const effect = turned(effectOfSets(new Set(one), new Set(other)));
  return [change(path, one, other, effect)];
}

/**
 * Compares shared definitions. An added or removed definition has no effect itself, since the
 * places that use it report the change.
 */
function compareNamed(was: unknown, is: unknown, path: string, depth: number): SchemaChange[] {
  const [before, after] = [recordOf(was), recordOf(is)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().flatMap((name) => {
    const at = `${path}/${pointerPart(name)}`;
    const [one, other] = [held(before, name), held(after, name)];
    if (one !== undefined && other !== undefined) return compare(one, other, at, depth + 1);
    return [change(at, one, other, 'words')];
  });
}

function requiredOf(schema: Json): Set<string> {
  const { required } = schema;
  return new Set(Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []);
}

function recordOf(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function held(from: Json, key: string): unknown {
  return Object.hasOwn(from, key) ? from[key] : undefined;
}

function spelled(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
}

function change(
  path: string,
  before: unknown,
  after: unknown,
  effect: SurfaceEffect,
): SchemaChange {
  return { path, before: before ?? null, after: after ?? null, effect };
}

/**
 * Finds arguments that a tool's input schema allows. It tries examples, the default, enumerated
 * values and then samples of the types, and validates every value. Schemas are untrusted, so depth,
 * size and the number of attempts are limited.
 */
import { schemaProblem } from '../assertions/schema-problem.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { isStorable } from '../kernel/storable-text.ts';
import { checkBySchema } from '../schemas/check-schema.ts';
import { simplePatterns } from '../schemas/simple-pattern.ts';
import { sampleNumbers, sampleTexts } from './sample-scalars.ts';
import { formsOf } from './schema-forms.ts';

export type SampledArguments =
  | { readonly arguments: Json }
  /** The reason as a clause, such as `no value was found for its parameter id (pattern ^x)`. */
  | { readonly problem: string };

export function sampleArguments(inputSchema: Json): SampledArguments {
  const unread = unreadable(inputSchema);
  if (unread !== undefined) return { problem: unread };
  const root = { type: 'object', ...inputSchema };
  const sampling: Sampling = { root, left: mostAttempts };
  const found = firstAllowed(root, sampling, 0);
  if (isRecord(found)) return { arguments: found };
  const checked = checkBySchema(root, {}, simplePatterns, withoutClock);
  if (checked.state === 'notValidated') {
    return { problem: `its input schema cannot be read: ${checked.message}` };
  }
  return { problem: sampling.missing ?? 'no arguments were found that its input schema allows' };
}

/** Returns undefined if the arguments are valid or cannot be checked. */
export function argumentFault(inputSchema: Json, args: unknown): string | undefined {
  const checked = checkBySchema(inputSchema, args, simplePatterns, withoutClock);
  return checked.state === 'invalid' ? checked.message : undefined;
}

interface Sampling {
  readonly root: Json;
  left: number;
  missing?: string;
}

const deepest = 5;
const mostAttempts = 300;
const mostFields = 40;
const mostItems = 20;
const longestName = 200;
const longestGiven = 500;
const largestSchema = 200_000;
const withoutClock = () => 0;

function unreadable(schema: Json): string | undefined {
  if (JSON.stringify(schema).length > largestSchema) return 'its input schema is too large';
  const fault = schemaProblem(schema);
  return fault.state === 'wellFormed'
    ? undefined
    : `its input schema cannot be read: ${fault.problem}`;
}

function firstAllowed(schema: unknown, sampling: Sampling, depth: number): unknown {
  for (const value of valuesOf(schema, sampling, depth)) {
    sampling.left -= 1;
    if (sampling.left < 0) return undefined;
    if (isAllowed(schema, value, sampling)) return value;
  }
  return undefined;
}

function isAllowed(schema: unknown, value: unknown, { root }: Sampling): boolean {
  if (!isStorable(value)) return false;
  return checkBySchema(root, value, simplePatterns, withoutClock, schema).state === 'valid';
}

/**
 * Yields the best candidates first. Null and empty texts come last, since they make no sensible
 * request.
 */
function* valuesOf(schema: unknown, sampling: Sampling, depth: number): Generator<unknown> {
  if (depth > deepest) return;
  const forms = formsOf(schema, sampling.root);
  for (const form of forms) {
    yield* statedValues(form).filter(saysSomething);
    yield* valuesOfTypes(form, sampling, depth);
  }
  for (const form of forms) yield* statedValues(form);
  for (const form of forms) if (allTypes(form).includes('null')) yield null;
}

function statedValues(form: Json): unknown[] {
  const { examples, enum: choices } = form;
  return [
    ...(Array.isArray(examples) ? examples.slice(0, 5) : []),
    ...[form['default'], form['const']].filter((one) => one !== undefined),
    ...(Array.isArray(choices) ? choices.slice(0, 20) : []),
  ].filter((one) => JSON.stringify(one).length <= longestGiven);
}

function saysSomething(value: unknown): boolean {
  return value !== null && value !== '';
}

function* valuesOfTypes(form: Json, sampling: Sampling, depth: number): Generator<unknown> {
  for (const type of allTypes(form)) {
    switch (type) {
      case 'integer':
        yield* sampleNumbers(form).filter(Number.isInteger);
        break;
      case 'number':
        yield* sampleNumbers(form);
        break;
      case 'boolean':
        yield* [true, false];
        break;
      case 'string':
        yield* sampleTexts(form);
        break;
      case 'array':
        yield* listsOf(form, sampling, depth);
        break;
      case 'object':
        yield* objectsOf(form, sampling, depth);
        break;
    }
  }
}

function allTypes(form: Json): readonly unknown[] {
  const { type } = form;
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  if (isRecord(form['properties']) || form['required'] !== undefined) return ['object'];
  if (form['items'] !== undefined || form['minItems'] !== undefined) return ['array'];
  const isNumber = numberKeywords.some((keyword) => form[keyword] !== undefined);
  return isNumber ? ['number'] : ['string'];
}

const numberKeywords = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
];

function* listsOf(form: Json, sampling: Sampling, depth: number): Generator<unknown> {
  const { minItems, maxItems } = form;
  const most = typeof maxItems === 'number' ? maxItems : mostItems;
  const least = typeof minItems === 'number' ? minItems : 0;
  const length = Math.min(Math.max(least, 1), most);
  const list = length <= mostItems ? itemsOf(form, length, sampling, depth) : [];
  if (list.length === length) yield list;
  yield [];
}

/** Stops early if no sample is found for an item, so the list may be shorter than `length`. */
function itemsOf(form: Json, length: number, sampling: Sampling, depth: number): unknown[] {
  const { prefixItems, items, uniqueItems } = form;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? form['additionalItems'] : items;
  const list: unknown[] = [];
  while (list.length < length) {
    const schema = first[list.length] ?? rest;
    const next = nextItem(schema, sampling, depth, uniqueItems === true ? list : []);
    if (next === undefined) break;
    list.push(next.value);
  }
  return list;
}

function nextItem(schema: unknown, sampling: Sampling, depth: number, taken: readonly unknown[]) {
  const known = new Set(taken.map((one) => JSON.stringify(one)));
  for (const value of valuesOf(schema, sampling, depth + 1)) {
    sampling.left -= 1;
    if (sampling.left < 0) return undefined;
    if (known.has(JSON.stringify(value))) continue;
    if (isAllowed(schema ?? true, value, sampling)) return { value };
  }
  return undefined;
}

function* objectsOf(form: Json, sampling: Sampling, depth: number): Generator<Json> {
  const properties = isRecord(form['properties']) ? form['properties'] : {};
  const required = Array.isArray(form['required']) ? new Set<unknown>(form['required']) : [];
  const names = [...required].filter((name): name is string => typeof name === 'string');
  if (names.length > mostFields || names.some((name) => name.length > longestName)) return;
  const given = requiredValues(names, properties, sampling, depth);
  if (given === undefined) return;
  yield Object.fromEntries(given);
  for (const [name, schema] of Object.entries(properties).slice(0, mostFields)) {
    if (given.has(name) || name.length > longestName) continue;
    const value = firstAllowed(schema, sampling, depth + 1);
    if (value === undefined) continue;
    given.set(name, value);
    yield Object.fromEntries(given);
  }
}

function requiredValues(
  names: readonly string[],
  properties: Json,
  sampling: Sampling,
  depth: number,
): Map<string, unknown> | undefined {
  const given = new Map<string, unknown>();
  for (const name of names) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : true;
    const value = firstAllowed(schema, sampling, depth + 1);
    if (value === undefined) {
      if (depth === 0)
        sampling.missing = `no value was found for its parameter ${name}${boundsOf(schema)}`;
      return undefined;
    }
    given.set(name, value);
  }
  return given;
}

/** Names a keyword of the schema that may explain why no value was found. */
function boundsOf(schema: unknown): string {
  if (!isRecord(schema)) return '';
  const [keyword] = ['pattern', 'format', '$ref'].filter((one) => schema[one] !== undefined);
  return keyword === undefined ? '' : ` (${keyword} ${String(schema[keyword]).slice(0, 60)})`;
}

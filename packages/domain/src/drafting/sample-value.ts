/**
 * A value that a schema allows, as far as it says so: an example, the default, the first of the choices, else a sample
 * of its type. Schemas are written by strangers, so depth and size are bounded and what cannot be read is a text.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { isStorable, storableText } from '../kernel/storable-text.ts';

/** The arguments that a tool requires, each with a sample. */
export function sampleArguments(inputSchema: Json): Json {
  const sample = { root: inputSchema, left: mostValues };
  return sampleObject(resolve(inputSchema, inputSchema), sample, 0);
}

/** One sample under way: its schema, and how many values it may still have. */
interface Sampling {
  readonly root: Json;
  left: number;
}

const deepest = 4;
/** Fields that lead back to their own schema are many already with few of them. */
const mostValues = 200;
const mostFields = 40;
const longestName = 200;
const longestGiven = 500;

function sampleObject(schema: Json, sampling: Sampling, depth: number): Json {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const names = required
    .slice(0, mostFields)
    .filter((name): name is string => typeof name === 'string' && name.length <= longestName);
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      storableText(name),
      sampleOf(Object.hasOwn(properties, name) ? properties[name] : {}, sampling, depth + 1),
    ]),
  );
}

function sampleOf(given: unknown, sampling: Sampling, depth: number): unknown {
  sampling.left -= 1;
  if (sampling.left < 0) return 'sample';
  const schema = resolve(given, sampling.root);
  const stated = statedValue(schema);
  if (stated !== undefined) return stated;
  switch (typeOf(schema)) {
    case 'integer':
      return within(schema, 1, true);
    case 'number':
      return within(schema, 1.5, false);
    case 'boolean':
      return true;
    case 'array':
      return depth >= deepest ? [] : [sampleOf(schema['items'], sampling, depth + 1)];
    case 'object':
      return depth >= deepest ? {} : sampleObject(schema, sampling, depth);
    default:
      return samplesOfFormats[String(schema['format'])] ?? 'sample';
  }
}

/** A value the schema gives itself. */
function statedValue(schema: Json): unknown {
  const { examples, enum: choices } = schema;
  const given = [
    Array.isArray(examples) ? examples[0] : undefined,
    schema['default'],
    schema['const'],
    Array.isArray(choices) ? choices[0] : undefined,
  ];
  return given.find(isUsable);
}

/** Null and empty text say nothing that could be asked for, and what is long is no sample. */
function isUsable(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return JSON.stringify(value).length <= longestGiven && isStorable(value);
}

function typeOf(schema: Json): unknown {
  const { type } = schema;
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (named !== undefined) return named;
  if (isRecord(schema['properties'])) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

/** The sample itself where the bounds allow it, else the bound that it passes. */
function within(schema: Json, sample: number, isWhole: boolean): number {
  const step = isWhole ? 1 : 0.5;
  const least = boundOf(schema['minimum'], schema['exclusiveMinimum'], step);
  const most = boundOf(schema['maximum'], schema['exclusiveMaximum'], -step);
  const raised = Math.max(sample, least ?? sample);
  const bounded = Math.min(raised, most ?? raised);
  return isWhole ? Math.trunc(bounded) : bounded;
}

function boundOf(inclusive: unknown, exclusive: unknown, step: number): number | undefined {
  if (typeof inclusive === 'number') return inclusive;
  return typeof exclusive === 'number' ? exclusive + step : undefined;
}

const samplesOfFormats: Readonly<Record<string, string>> = {
  date: '2026-01-15',
  'date-time': '2026-01-15T12:00:00Z',
  time: '12:00:00Z',
  email: 'sample@example.com',
  uri: 'https://example.com/sample',
  url: 'https://example.com/sample',
  uuid: '00000000-0000-4000-8000-000000000001',
};

/** Follows references within the schema and takes the first alternative that is not null. */
function resolve(given: unknown, root: Json): Json {
  let current: Json = isRecord(given) ? given : {};
  for (let steps = 0; steps < 8; steps += 1) {
    const reference = current['$ref'];
    if (typeof reference === 'string') {
      current = lookUp(root, reference);
      continue;
    }
    const alternatives = current['anyOf'] ?? current['oneOf'] ?? current['allOf'];
    if (!Array.isArray(alternatives) || current['properties'] !== undefined) break;
    const chosen = alternatives.slice(0, 20).find((one) => isRecord(one) && one['type'] !== 'null');
    if (!isRecord(chosen)) break;
    const { anyOf: _any, oneOf: _one, allOf: _all, ...own } = current;
    current = { ...own, ...chosen };
  }
  return current;
}

function lookUp(root: Json, reference: string): Json {
  if (!reference.startsWith('#/')) return {};
  let current: unknown = root;
  for (const part of reference.slice(2).split('/', 20)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isRecord(current) || !Object.hasOwn(current, name)) return {};
    current = current[name];
  }
  return isRecord(current) ? current : {};
}

/**
 * Reads a tool's parameters from its schema as far as the model can use them. The schema is
 * untrusted, so every part is checked.
 */
import { isRecord } from '@proofmark/domain';

export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly isRequired: boolean;
  readonly description: string;
  readonly format: string;
  /** The values of `enum` or `const` that are texts or numbers. */
  readonly choices: readonly (string | number)[];
  readonly item: Parameter | undefined;
  readonly fields: readonly Parameter[];
}

export type ParameterType =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'array'
  | 'object'
  | 'unknown';

/**
 * Returns the parameters in the order of the schema, required ones first. By references, a small
 * schema can describe an endless tree, so the number of parameters over all levels is limited;
 * outer levels come first.
 */
export function parametersOf(schema: unknown, most = mostParameters): Parameter[] {
  const walk: Walk = { root: schema, left: Math.min(most, mostParameters), names: new Map() };
  return fieldsOf(schema, walk, 0);
}

const mostParameters = 300;
const mostFields = 60;
const mostAlternatives = 20;
const mostReferenceParts = 20;
const mostChoices = 200;
const deepest = 4;
const longestDescription = 2_000;

interface Walk {
  readonly root: unknown;
  /** The number of parameters that may still be read. */
  left: number;
  /**
   * The field names of each object already read, since references may lead to the same object
   * again.
   */
  readonly names: Map<object, readonly string[]>;
}

function fieldsOf(schema: unknown, walk: Walk, depth: number): Parameter[] {
  const resolved = resolve(schema, walk.root);
  const properties = recordOf(resolved['properties']);
  const required = new Set(listOf(resolved['required']));
  const needed: Parameter[] = [];
  const others: Parameter[] = [];
  const names = namesOf(properties, walk).slice(0, walk.left);
  walk.left -= names.length;
  for (const name of names) {
    const isRequired = required.has(name);
    const fields = isRequired ? needed : others;
    fields.push(parameterOf(name.slice(0, 200), properties[name], isRequired, walk, depth));
  }
  return [...needed, ...others];
}

function namesOf(properties: Readonly<Record<string, unknown>>, { names }: Walk) {
  const known = names.get(properties) ?? Object.keys(properties).slice(0, mostFields);
  names.set(properties, known);
  return known;
}

function parameterOf(
  name: string,
  schema: unknown,
  isRequired: boolean,
  walk: Walk,
  depth: number,
): Parameter {
  const resolved = resolve(schema, walk.root);
  const type = typeOf(resolved);
  const isDeep = depth >= deepest || walk.left <= 0;
  return {
    name,
    type,
    isRequired,
    description: textOf(resolved['description']) || textOf(recordOf(schema)['description']),
    format: textOf(resolved['format']),
    choices: choicesOf(resolved),
    item:
      type === 'array' && !isDeep ? itemOf(name, resolved['items'], walk, depth + 1) : undefined,
    fields: type === 'object' && !isDeep ? fieldsOf(resolved, walk, depth + 1) : [],
  };
}

function itemOf(name: string, schema: unknown, walk: Walk, depth: number): Parameter {
  walk.left -= 1;
  return parameterOf(name, schema, false, walk, depth);
}

/**
 * Follows `$ref` within the schema. Of several alternatives, the first that is not `null` is used.
 */
function resolve(schema: unknown, root: unknown): Readonly<Record<string, unknown>> {
  let current = recordOf(schema);
  for (let steps = 0; steps < 8; steps += 1) {
    const reference = textOf(current['$ref']);
    if (reference.startsWith('#/')) {
      current = recordOf(lookUp(root, reference));
      continue;
    }
    const alternative = ['anyOf', 'oneOf', 'allOf']
      .flatMap((name) => listOf(current[name], mostAlternatives))
      .find((one) => recordOf(one)['type'] !== 'null');
    if (alternative === undefined || current['properties'] !== undefined) break;
    const { description } = current;
    current = recordOf(alternative);
    if (description !== undefined && current['description'] === undefined) {
      current = { ...current, description };
    }
  }
  return current;
}

function lookUp(root: unknown, reference: string): unknown {
  let current = root;
  const parts = reference.slice(2).split('/', mostReferenceParts + 1);
  if (parts.length > mostReferenceParts) return undefined;
  for (const part of parts) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const record = recordOf(current);
    if (!Object.hasOwn(record, name)) return undefined;
    current = record[name];
  }
  return current;
}

function typeOf(schema: Readonly<Record<string, unknown>>): ParameterType {
  const { type } = schema;
  const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (knownTypes.includes(named as ParameterType)) return named as ParameterType;
  const [choice] = choicesOf(schema);
  if (choice !== undefined) return typeof choice === 'number' ? 'number' : 'string';
  if (schema['properties'] !== undefined) return 'object';
  return schema['items'] === undefined ? 'unknown' : 'array';
}

const knownTypes: readonly ParameterType[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
];

function choicesOf(schema: Readonly<Record<string, unknown>>): (string | number)[] {
  const given = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  return given
    .slice(0, mostChoices)
    .filter((one) => (typeof one === 'string' && one.length <= 200) || typeof one === 'number')
    .map((one) => one as string | number);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown, most = 500): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestDescription) : '';
}

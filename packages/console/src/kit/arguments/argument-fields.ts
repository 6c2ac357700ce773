/**
 * Derives the fields of a form from a tool's input schema. The schema comes from the server and is
 * untrusted: types are checked, circular references end, and the size is limited. Values without a
 * simple control, such as unions and lists of objects, get a JSON field.
 */
import { isRecord, type Json } from '@proofmark/domain';

export type FieldKind =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'object'
  | 'list'
  | 'json';

export interface ArgumentField {
  readonly name: string;
  /** The label for people. Absent if the name itself is clear enough. */
  readonly label?: string;
  readonly kind: FieldKind;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly choices: readonly unknown[];
  readonly default?: unknown;
  readonly limits: Limits;
  /** Fields of an object. Empty for other kinds of fields. */
  readonly fields: readonly ArgumentField[];
  /** The type of a list's items. Absent for other kinds of fields. */
  readonly item?: ArgumentField;
}

export interface Limits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface ArgumentForm {
  readonly fields: readonly ArgumentField[];
  /** Number of properties beyond the form's limit of fields. They can be set only in the JSON. */
  readonly leftOut: number;
}

const deepest = 4;
const mostFields = 100;
const mostChoices = 200;

export function argumentFields(inputSchema: unknown): ArgumentForm {
  const root = asObject(inputSchema);
  const budget = { left: mostFields, leftOut: 0 };
  const fields = propertiesOf(resolve(root, root), { root, depth: 0, budget });
  return { fields, leftOut: budget.leftOut };
}

interface SchemaPosition {
  readonly root: Json;
  readonly depth: number;
  readonly budget: { left: number; leftOut: number };
}

function propertiesOf(schema: Json, position: SchemaPosition): ArgumentField[] {
  const required = asList(schema['required']);
  const fields: ArgumentField[] = [];
  for (const [name, property] of Object.entries(asObject(schema['properties']))) {
    if (position.budget.left === 0) {
      position.budget.leftOut += 1;
      continue;
    }
    position.budget.left -= 1;
    fields.push(fieldOf(name, property, required.includes(name), position));
  }
  return fields;
}

function fieldOf(
  name: string,
  raw: unknown,
  required: boolean,
  position: SchemaPosition,
): ArgumentField {
  const schema = resolve(asObject(raw), position.root);
  const kind = kindOf(schema, position);
  const inner = { ...position, depth: position.depth + 1 };
  const item = kind === 'list' ? fieldOf('', schema['items'], true, inner) : undefined;
  return {
    name,
    kind,
    type: typeWords(schema, kind, item),
    required,
    description: typeof schema['description'] === 'string' ? schema['description'] : '',
    choices: kind === 'choice' ? choicesOf(schema) : [],
    ...('default' in schema && { default: schema['default'] }),
    limits: limitsOf(schema),
    fields: kind === 'object' ? propertiesOf(schema, inner) : [],
    ...(item !== undefined && { item }),
  };
}

function kindOf(schema: Json, position: SchemaPosition): FieldKind {
  if (unionOf(schema) !== undefined) return 'json';
  const choices = choicesOf(schema);
  if (choices.length > 0 && choices.length <= mostChoices && choices.every(isSimple))
    return 'choice';
  switch (schema['type']) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return schema['type'];
    case 'object':
      return position.depth < deepest && Object.keys(asObject(schema['properties'])).length > 0
        ? 'object'
        : 'json';
    case 'array':
      return holdsPlainItems(schema, position) ? 'list' : 'json';
    default:
      return 'json';
  }
}

function holdsPlainItems(schema: Json, position: SchemaPosition): boolean {
  const item = resolve(asObject(schema['items']), position.root);
  if (item['type'] === 'array' || item['type'] === 'object') return false;
  return kindOf(item, position) !== 'json';
}

function typeWords(schema: Json, kind: FieldKind, item: ArgumentField | undefined): string {
  if (kind === 'list') return `list of ${item?.type ?? 'anything'}`;
  if (kind === 'choice') {
    const [only, another] = choicesOf(schema);
    return another === undefined ? `always ${String(only).slice(0, 80)}` : 'choice';
  }
  if (kind !== 'json') return kind === 'boolean' ? yesOrNo : kind;
  const union = unionOf(schema);
  const types = union ?? [schema];
  const words = types.map((one) => typeWord(asObject(one)));
  return [...new Set(words)].slice(0, 6).join(' or ');
}

function typeWord(schema: Json): string {
  const type = schema['type'];
  if (type === 'string') return 'text';
  if (type === 'array') return 'list';
  if (type === 'null' || type === 'object' || type === 'number') return type;
  if (type === 'boolean') return yesOrNo;
  return type === 'integer' ? type : 'anything';
}

const yesOrNo = 'yes or no';

/** Returns the alternatives of a union, including null. Undefined if the schema is no union. */
function unionOf(schema: Json): readonly unknown[] | undefined {
  for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
    const parts = asList(schema[key]);
    if (parts.length > 0) return key === 'allOf' ? [{}] : parts;
  }
  const types = asList(schema['type']);
  return types.length > 0 ? types.map((type) => ({ type })) : undefined;
}

function choicesOf(schema: Json): readonly unknown[] {
  return 'const' in schema ? [schema['const']] : asList(schema['enum']);
}

function isSimple(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function limitsOf(schema: Json): Limits {
  const names = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;
  const given = names.filter((name) => typeof schema[name] === 'number');
  return Object.fromEntries(given.map((name) => [name, schema[name]]));
}

/** Resolves references within the schema, at most eight in a row. */
function resolve(schema: Json, root: Json): Json {
  let current = schema;
  for (let step = 0; step < 8 && typeof current['$ref'] === 'string'; step += 1) {
    const { $ref: reference, ...own } = current;
    const match = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference as string);
    const named = asObject(root[match?.[1] ?? '']);
    const name = (match?.[2] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(named, name)) return own;
    current = { ...asObject(named[name]), ...own };
  }
  return current;
}

function asObject(value: unknown): Json {
  return isRecord(value) ? value : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Checks whether a value is a well-formed JSON Schema: every part that must be a schema is one, and
 * keywords with a fixed form have that form. References to other documents are not followed.
 */
import { isRecord, type Json } from '../kernel/json.ts';

export type SchemaProblem =
  | { readonly state: 'wellFormed' }
  | { readonly state: 'malformed'; readonly problem: string }
  | { readonly state: 'notChecked'; readonly problem: string };

export function schemaProblem(root: unknown): SchemaProblem {
  let seen = 0;
  for (const { schema, path } of subschemasOf(root)) {
    seen += 1;
    if (seen > maxSubschemas)
      return { state: 'notChecked', problem: 'It has too many subschemas.' };
    const fault = faultAt(schema, root);
    if (fault !== undefined) return { state: 'malformed', problem: `${path || 'It'} ${fault}.` };
  }
  return { state: 'wellFormed' };
}

export interface Subschema {
  readonly schema: unknown;
  readonly path: string;
}

/**
 * Returns the schema and all nested schemas. It uses its own stack instead of recursion, so that
 * deep nesting cannot overflow the call stack.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the three ways in which a keyword holds schemas stand beside each other, in one walk.
export function* subschemasOf(root: unknown): Generator<Subschema> {
  const open: Subschema[] = [{ schema: root, path: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { schema, path } = next;
    if (!isRecord(schema)) continue;
    for (const [keyword, value] of Object.entries(schema)) {
      const at = `${path}/${keyword}`;
      if (schemaKeywords.has(keyword) && !Array.isArray(value))
        open.push({ schema: value, path: at });
      if (listKeywords.has(keyword) && Array.isArray(value)) {
        open.push(...value.map((schema, index) => ({ schema, path: `${at}/${index}` })));
      }
      if (mapKeywords.has(keyword) && isRecord(value)) {
        for (const [name, one] of Object.entries(value)) {
          // In older drafts of JSON Schema, a dependency may be a list of names instead of a
          // schema.
          if (keyword !== 'dependencies' || !Array.isArray(one)) {
            open.push({ schema: one, path: `${at}/${name}` });
          }
        }
      }
    }
  }
}

function faultAt(schema: unknown, root: unknown): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (!isRecord(schema)) return 'is neither an object nor a boolean';
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = rules.get(keyword);
    if (rule !== undefined && !rule.isRight(value))
      return `has a ${keyword} that is not ${rule.is}`;
  }
  return hasDanglingReference(schema, root)
    ? 'refers to a part that the schema does not have'
    : undefined;
}

function hasDanglingReference({ $ref: reference }: Json, root: unknown): boolean {
  if (typeof reference !== 'string' || !/^#\//.test(reference)) return false;
  let found: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return true;
    found = (found as Json)[key];
  }
  return false;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const maxSubschemas = 20_000;

const schemaKeywords: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'additionalItems', 'items', 'contains', 'propertyNames', 'not'],
  ...['if', 'then', 'else', 'unevaluatedItems', 'unevaluatedProperties'],
]);
const listKeywords: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
  'items',
]);
const mapKeywords: ReadonlySet<string> = new Set([
  ...[
    'properties',
    'patternProperties',
    '$defs',
    'definitions',
    'dependentSchemas',
    'dependencies',
  ],
]);

const typeNames: readonly unknown[] = [
  ...['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'],
];

interface Rule {
  readonly is: string;
  isRight(value: unknown): boolean;
}

const text: Rule = { is: 'text', isRight: (value) => typeof value === 'string' };
const number: Rule = { is: 'a number', isRight: (value) => typeof value === 'number' };
const size: Rule = {
  is: 'a whole number from 0',
  isRight: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
};
const map: Rule = { is: 'an object', isRight: isRecord };
const names: Rule = {
  is: 'a list of names',
  isRight: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
const someSchemas: Rule = {
  is: 'a list of schemas',
  isRight: (value) => Array.isArray(value) && value.length > 0,
};

const rules: ReadonlyMap<string, Rule> = new Map([
  [
    'type',
    {
      is: 'a type, or a list of types',
      isRight: (value: unknown) =>
        Array.isArray(value)
          ? value.length > 0 && value.every((one) => typeNames.includes(one))
          : typeNames.includes(value),
    },
  ],
  ['enum', { is: 'a list', isRight: Array.isArray }],
  ['required', names],
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].map(
    (keyword) => [keyword, map] as const,
  ),
  ...['allOf', 'anyOf', 'oneOf'].map((keyword) => [keyword, someSchemas] as const),
  ...['$ref', '$id', '$schema', 'pattern'].map((keyword) => [keyword, text] as const),
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    (keyword) => [keyword, size] as const,
  ),
  ...['minimum', 'maximum', 'multipleOf'].map((keyword) => [keyword, number] as const),
]);

import type { DocumentedSchema, Schemas } from './api-document.ts';
import { alternativesOf, refName, resolveSchema } from './resolve-schema.ts';

export function typeWords(schema: DocumentedSchema, schemas: Schemas): string {
  const resolved = resolveSchema(schema, schemas);
  const union = resolved.oneOf ?? resolved.anyOf;
  if (union !== undefined) return unionWords(resolved, union, schemas);
  if (resolved.const !== undefined) return JSON.stringify(resolved.const);
  if (resolved.enum?.length === 1) return JSON.stringify(resolved.enum[0]);
  const types = typeof resolved.type === 'string' ? [resolved.type] : (resolved.type ?? []);
  const words = types
    .filter((type) => type !== 'null')
    .map((type) => oneType(type, resolved, schemas));
  if (words.length === 0) words.push(resolved.properties === undefined ? 'anything' : 'object');
  return [...words, ...(types.includes('null') ? ['null'] : [])].join(' or ');
}

export function limitsOf(schema: DocumentedSchema, schemas: Schemas): string[] {
  // A union of one schema and null has the limits of that schema.
  const [only, ...others] = alternativesOf(schema, schemas);
  if (only !== undefined && others.length === 0)
    return limitsOf(resolveSchema(only, schemas), schemas);
  const choices = schema.enum ?? [];
  return [
    ...(choices.length > 1 ? [`one of ${choices.map(String).join(', ')}`] : []),
    ...(schema.format === undefined ? [] : [`as ${schema.format}`]),
    ...range(schema.minimum, schema.maximum, ''),
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(undefined, schema.maxItems, ' items'),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

/**
 * A maximum of `Number.MAX_SAFE_INTEGER` means "no limit", because schema generators write it for
 * every integer.
 */
function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  const unlimited = most === undefined || most === Number.MAX_SAFE_INTEGER;
  if (least === undefined) return unlimited ? [] : [`at most ${most}${unit}`];
  return [unlimited ? `at least ${least}${unit}` : `${least} to ${most}${unit}`];
}

function unionWords(
  schema: DocumentedSchema,
  union: readonly DocumentedSchema[],
  schemas: Schemas,
): string {
  const alternatives = alternativesOf(schema, schemas);
  const words = alternatives.map((one) =>
    one.$ref !== undefined && alternatives.length > 1 ? refName(one.$ref) : typeWords(one, schemas),
  );
  return [...new Set([...words, ...(alternatives.length < union.length ? ['null'] : [])])].join(
    ' or ',
  );
}

function oneType(type: string, schema: DocumentedSchema, schemas: Schemas): string {
  if (type === 'array') {
    return `list of ${schema.items === undefined ? 'anything' : typeWords(schema.items, schemas)}`;
  }
  const values = schema.additionalProperties;
  if (type === 'object' && schema.properties === undefined && typeof values === 'object') {
    return Object.keys(values).length === 0
      ? 'object'
      : `object of ${typeWords(values, schemas)} by name`;
  }
  return type;
}

/**
 * Converts a schema to a flat list of fields, each with its path, type and limits. A recursive
 * reference is only named, so that the list is finite. The alternatives of a union are listed one
 * after another under their own labels.
 */
import type { DocumentedSchema, Schemas } from './api-document.ts';
import { alternativesOf, refName, resolveSchema } from './resolve-schema.ts';
import { limitsOf, typeWords } from './schema-words.ts';

export interface SchemaField {
  readonly path: string;
  readonly depth: number;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly limits: readonly string[];
  /**
   * Whether the entry is the heading of one alternative of a union. The fields of the alternative
   * follow.
   */
  readonly isAlternative?: true;
}

export function schemaFields(
  schema: DocumentedSchema | undefined,
  schemas: Schemas,
): SchemaField[] {
  return schema === undefined ? [] : inside(schema, schemas, { path: '', depth: 0, open: [] });
}

interface SchemaPosition {
  readonly path: string;
  readonly depth: number;
  readonly open: readonly string[];
}

function inside(
  schema: DocumentedSchema,
  schemas: Schemas,
  position: SchemaPosition,
): SchemaField[] {
  const names = refNames(schema);
  if (names.some((name) => position.open.includes(name))) return [];
  const open = [...position.open, ...names];
  const resolved = resolveSchema(schema, schemas);
  const at = { ...position, open };
  return [
    ...Object.entries(resolved.properties ?? {}).flatMap(([name, property]) =>
      field(name, property, resolved.required?.includes(name) ?? false, schemas, at),
    ),
    ...anyNameField(resolved, schemas, at),
    ...(resolved.items === undefined ? [] : inside(resolved.items, schemas, at)),
    ...unionFields(resolved, schemas, at),
  ];
}

function field(
  name: string,
  property: DocumentedSchema,
  required: boolean,
  schemas: Schemas,
  at: SchemaPosition,
): SchemaField[] {
  const path = at.path === '' ? name : `${at.path}.${name}`;
  const resolved = resolveSchema(property, schemas);
  const type = typeWords(property, schemas);
  const own: SchemaField = {
    path,
    depth: at.depth,
    type,
    required,
    description: resolved.description ?? '',
    limits: limitsOf(resolved, schemas),
  };
  const innerPath = type.startsWith('list of') ? `${path}[]` : path;
  return [own, ...inside(property, schemas, { ...at, path: innerPath, depth: at.depth + 1 })];
}

/**
 * Returns the field for an object with arbitrary field names. The fields of its values follow, if
 * the values are objects.
 */
function anyNameField(
  schema: DocumentedSchema,
  schemas: Schemas,
  at: SchemaPosition,
): SchemaField[] {
  const values = schema.additionalProperties;
  if (typeof values !== 'object' || Object.keys(values).length === 0) return [];
  return inside(values, schemas, { ...at, path: at.path === '' ? '*' : `${at.path}.*` });
}

function unionFields(
  schema: DocumentedSchema,
  schemas: Schemas,
  at: SchemaPosition,
): SchemaField[] {
  const alternatives = alternativesOf(schema, schemas);
  if (alternatives.length < 2) return alternatives.flatMap((one) => inside(one, schemas, at));
  return alternatives.flatMap((one, index) => {
    const fields = inside(one, schemas, { ...at, depth: at.depth + 1 });
    if (fields.length === 0) return [];
    const type = one.$ref === undefined ? `alternative ${index + 1}` : refName(one.$ref);
    const label = {
      path: at.path,
      depth: at.depth,
      type,
      required: false,
      description: '',
      limits: [],
    };
    return [{ ...label, isAlternative: true as const }, ...fields];
  });
}

function refNames(schema: DocumentedSchema): string[] {
  const own = schema.$ref === undefined ? [] : [refName(schema.$ref)];
  return [...own, ...(schema.allOf ?? []).flatMap(refNames)];
}

import type { DocumentedSchema, Schemas } from './api-document.ts';

export function resolveSchema(schema: DocumentedSchema, schemas: Schemas): DocumentedSchema {
  const target = schema.$ref === undefined ? undefined : schemas[refName(schema.$ref)];
  const { $ref: _ref, ...own } = schema;
  const base: DocumentedSchema =
    target === undefined ? own : { ...resolveSchema(target, schemas), ...own };
  if (base.allOf === undefined) return base;
  const { allOf, ...rest } = base;
  return [...allOf.map((part) => resolveSchema(part, schemas)), rest].reduce(joined, {});
}

export function refName(reference: string): string {
  return decodeURIComponent(reference.slice(reference.lastIndexOf('/') + 1));
}

/**
 * Returns the alternatives of a union without null, because the text for the type already mentions
 * null.
 */
export function alternativesOf(schema: DocumentedSchema, schemas: Schemas): DocumentedSchema[] {
  const all = schema.oneOf ?? schema.anyOf ?? [];
  return all.filter((one) => resolveSchema(one, schemas).type !== 'null');
}

function joined(one: DocumentedSchema, other: DocumentedSchema): DocumentedSchema {
  const properties = { ...one.properties, ...other.properties };
  const required = [...(one.required ?? []), ...(other.required ?? [])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

/**
 * Converts a Zod schema to JSON Schema (draft 2020-12). Schemas with an id become named definitions
 * under `namesAt`. All are converted as input, because as output even a schema that ignores unknown
 * fields would forbid them.
 */
import * as z from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export function jsonSchemaOf(
  shape: z.ZodType,
  namesAt: string,
): { readonly schema: JsonSchema; readonly named: Readonly<Record<string, JsonSchema>> } {
  const { $schema: _dialect, ...whole } = z.toJSONSchema(shape, {
    io: 'input',
    override: ({ jsonSchema }) => withoutUnsafeBounds(jsonSchema),
  });
  const { $defs, ...schema } = moveReferences(whole, namesAt) as JsonSchema & {
    $defs?: Record<string, JsonSchema>;
  };
  return { schema, named: $defs ?? {} };
}

/**
 * Removes the bounds that Zod writes for every integer. They are JavaScript's safe integers and
 * limit nothing.
 */
function withoutUnsafeBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function moveReferences(value: unknown, namesAt: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => moveReferences(inner, namesAt));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', namesAt)]
        : [key, moveReferences(inner, namesAt)],
    ),
  );
}

import { describe, expect, test } from 'vitest';
import { mcpLimits } from './mcp-limits.ts';
import { boundedSchemas, whyNeverChecked } from './schema-engine.ts';

describe('a schema of an assertion', () => {
  test.each([
    [{ type: 'object' }, {}, 'valid'],
    [{ type: 'object' }, 1, 'invalid'],
    [{ $dynamicRef: '#a' }, 1, 'notChecked'],
    [{ const: 'x'.repeat(mcpLimits.maxSchemaBytes) }, 1, 'notChecked'],
    [{}, 'x'.repeat(mcpLimits.maxMessageBytes), 'notChecked'],
  ])('%# is answered', (schema, value, state) => {
    expect(boundedSchemas.check(schema, value)).toMatchObject({ state });
  });

  test.each<[object, string | undefined]>([
    [{ type: 'object', properties: { a: { pattern: '^a+$' } } }, undefined],
    [{ $defs: { a: {} }, properties: { x: { $ref: '#/$defs/a' } } }, undefined],
    [{ properties: { $dynamicRef: { type: 'string' } } }, undefined],
    [
      { properties: { a: { unevaluatedItems: false } } },
      'The schema uses unevaluatedItems, which Proofmark does not check.',
    ],
    [{ properties: { a: { $id: 'x' } } }, 'The schema contains another schema with its own $id.'],
    [
      { items: { $ref: 'https://a.example/s' } },
      'A $ref in the schema does not point to a path inside it.',
    ],
    [{ $ref: '#' }, 'The schema refers to itself endlessly.'],
    [
      { properties: { a: { pattern: '(?=a)b' } } },
      'A pattern in the schema cannot be run in linear time.',
    ],
    [
      { items: { patternProperties: { '(?=a)b': {} } } },
      'A pattern in the schema cannot be run in linear time.',
    ],
    [{ $schema: 'https://a.example/' }, 'The schema is in an unknown dialect.'],
  ])('%j that can never be checked says why', (schema, why) => {
    expect(whyNeverChecked(schema)).toBe(why);
  });
});

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
    [{ properties: { a: { unevaluatedItems: false } } }, 'The schema uses unevaluatedItems.'],
    [{ properties: { a: { $id: 'x' } } }, 'The schema holds another one.'],
    [{ items: { $ref: 'https://a.example/s' } }, 'The schema refers to another one.'],
    [{ $ref: '#' }, 'The schema refers to itself without end.'],
    [
      { properties: { a: { pattern: '(?=a)b' } } },
      'The schema holds a pattern that cannot be run in linear time.',
    ],
    [
      { items: { patternProperties: { '(?=a)b': {} } } },
      'The schema holds a pattern that cannot be run in linear time.',
    ],
    [{ $schema: 'https://a.example/' }, 'The schema is in an unknown dialect.'],
  ])('%j that can never be checked says why', (schema, why) => {
    expect(whyNeverChecked(schema)).toBe(why);
  });
});

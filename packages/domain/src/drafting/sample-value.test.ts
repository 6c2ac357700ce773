import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import { argumentFault, sampleArguments } from './sample-value.ts';

const city = { type: 'string' };
const $defs = {
  place: { type: 'object', properties: { city, zip: city }, required: ['city'] },
  endless: {
    type: 'object',
    properties: { inside: { $ref: '#/$defs/endless' } },
    required: ['inside'],
  },
};
const toolWith = (it: unknown) => ({
  type: 'object',
  properties: { it },
  required: ['it'],
  $defs,
});

test.each([
  [{ type: 'string' }, 'sample'],
  [{ type: 'integer' }, 1],
  [{ type: 'number' }, 1],
  [{ type: 'boolean' }, true],
  [{ type: 'string', format: 'date' }, '2026-01-15'],
  [{ type: 'string', format: 'ipv4' }, '192.0.2.1'],
  [{ type: ['null', 'integer'] }, 1],
  [{ type: 'null' }, null],
  [{ type: 'integer', minimum: 5 }, 5],
  [{ type: 'integer', exclusiveMinimum: 5 }, 6],
  [{ type: 'integer', minimum: 2.5, exclusiveMaximum: 4 }, 3],
  [{ type: 'integer', multipleOf: 7, minimum: 15 }, 21],
  [{ type: 'number', maximum: 1 }, 1],
  [{ type: 'number', maximum: 0.5, exclusiveMinimum: 0 }, 0.5],
  [{ type: 'number', multipleOf: 0.25, exclusiveMaximum: 1, minimum: 0.6 }, 0.75],
  [{ type: 'number', maximum: -3 }, -3],
  [{ type: 'string', minLength: 10 }, 'sample sam'],
  [{ type: 'string', maxLength: 3 }, 'sam'],
  [{ type: 'string', maxLength: 0 }, ''],
  [{ type: 'string', pattern: '^[A-Z]{2}-[0-9]+$' }, 'AA-1'],
  [{ type: 'string', pattern: '^[0-9]+$', minLength: 4 }, '11111'],
  [{ const: 7 }, 7],
  [{ type: 'string', enum: ['b', 'a'] }, 'b'],
  [{ type: 'string', enum: ['b'], default: 'a' }, 'b'],
  [{ type: 'string', enum: ['b', 'c'], default: 'a', examples: ['c'] }, 'c'],
  [{ type: 'string', default: '' }, 'sample'],
  [{ type: 'array', items: { type: 'integer' } }, [1]],
  [{ type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }, [1, 2, 3]],
  [{ type: 'array', items: { enum: ['x', 'y'] }, minItems: 2, uniqueItems: true }, ['x', 'y']],
  [{ type: 'array', maxItems: 0 }, []],
  [{ type: 'array' }, ['sample']],
  [{ type: 'array', prefixItems: [{ type: 'integer' }, { const: 'x' }], minItems: 2 }, [1, 'x']],
  [{ anyOf: [{ type: 'null' }, { type: 'boolean' }] }, true],
  [{ oneOf: [{ type: 'integer', minimum: 9 }, { type: 'string' }] }, 9],
  [{ allOf: [{ type: 'string', minLength: 3 }, { pattern: '^x+$' }] }, 'xxx'],
  [{ $ref: '#/$defs/place' }, { city: 'sample' }],
  [{ type: 'object', properties: { a: city }, minProperties: 1 }, { a: 'sample' }],
])('a sample of %j', (property, value) => {
  expect(sampleArguments(toolWith(property))).toEqual({ arguments: { it: value } });
});

test.each([
  [{ $ref: '#/$defs/endless' }, 'parameter it'],
  [{ $ref: 'https://elsewhere.example/schema' }, '($ref https://elsewhere.example/schema)'],
  [{ $ref: '#/$defs/nowhere' }, 'cannot be read'],
  [{ type: 'string', pattern: '(?=a)b' }, '(pattern (?=a)b)'],
  [{ type: 'string', format: 'iban' }, '(format iban)'],
  [{ type: 'integer', minimum: 3, maximum: 2 }, 'parameter it'],
  [{ type: 'string', minLength: 100_000 }, 'parameter it'],
  [{ type: 'strange' }, 'cannot be read'],
  [false, 'parameter it'],
])('no sample of %j, and the reason', (property, reason) => {
  expect(sampleArguments(toolWith(property))).toEqual({
    problem: expect.stringContaining(reason),
  });
});

test('a tool without a schema takes nothing', () => {
  expect(sampleArguments({})).toEqual({ arguments: {} });
  expect(sampleArguments({ $id: 'https://a.example/s', type: 'object' })).toEqual({
    arguments: {},
  });
});

test('a schema that leads back to itself in many fields is given up soon', () => {
  const required = Array.from({ length: 40 }, (_, index) => `f${index}`);
  const properties = Object.fromEntries(required.map((name) => [name, { $ref: '#/$defs/wide' }]));
  const wide = { type: 'object', required, properties };
  expect(sampleArguments({ ...wide, $defs: { wide } })).toHaveProperty('problem');
});

test('arguments that a tool does not allow are told; what nobody can check is not', () => {
  const schema = toolWith({ type: 'integer' });
  expect(argumentFault(schema, { it: 1 })).toBeUndefined();
  expect(argumentFault(schema, { it: 1.5 })).toContain('must be integer');
  expect(argumentFault(schema, {})).toContain('must have the member it');
  expect(argumentFault(toolWith({ pattern: '(?=a)' }), { it: 'x' })).toBeUndefined();
});

const bound = fc.integer({ min: -5, max: 12 });
const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: bound,
      maximum: bound,
      exclusiveMinimum: bound,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(1, 2, 3, 0.5),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record(
    {
      type: fc.constant('string'),
      minLength: fc.integer({ min: 0, max: 12 }),
      maxLength: fc.integer({ min: 0, max: 12 }),
      pattern: fc.constantFrom('^[a-z]+$', '^\\d{3}$', 'x|yy', '^(a|b){2,5}-?$'),
      enum: fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 3 }),
      default: fc.string({ maxLength: 5 }),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.constantFrom('boolean', 'null') }),
);
const anySchema = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        minItems: fc.integer({ min: 0, max: 3 }),
        maxItems: fc.integer({ min: 0, max: 4 }),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')).map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    })),
    fc
      .tuple(
        fc.constantFrom('anyOf', 'oneOf', 'allOf'),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      )
      .map(([keyword, parts]) => ({ [keyword]: parts })),
  ) as fc.Arbitrary<Json>,
})).schema;

test('every sample is allowed by another validator', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  let made = 0;
  fc.assert(
    fc.property(anySchema, (it) => {
      const schema = { type: 'object', properties: { it }, required: ['it'] };
      const sampled = sampleArguments(schema);
      if ('problem' in sampled) return;
      made += 1;
      expect(ajv.validate(schema, sampled.arguments), JSON.stringify([it, sampled])).toBe(true);
    }),
    { numRuns: 300 },
  );
  expect(made).toBeGreaterThan(100);
});

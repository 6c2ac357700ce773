import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type SurfaceEffect, schemaChanges, turned } from './schema-effect.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

test.each<readonly [string, unknown, unknown, path: string, SurfaceEffect]>([
  ['an optional parameter came', object({}), object({ a: text }), '/properties/a', 'widened'],
  [
    'a required parameter came',
    object({}),
    object({ a: text }, { required: ['a'] }),
    ...(['/properties/a', 'breaking'] as const),
  ],
  [
    'a parameter became required',
    object({ a: text }),
    object({ a: text }, { required: ['a'] }),
    ...(['/required', 'narrowed'] as const),
  ],
  [
    'another type',
    object({ a: text }),
    object({ a: { type: 'integer' } }),
    ...(['/properties/a/type', 'breaking'] as const),
  ],
  ['a wider number', { type: 'integer' }, { type: 'number' }, '/type', 'widened'],
  ['one type of two left', { type: ['string', 'null'] }, text, '/type', 'narrowed'],
  ['a value more', { enum: ['a'] }, { enum: ['b', 'a'] }, '/enum', 'widened'],
  ['other values', { enum: ['a'] }, { enum: ['b'] }, '/enum', 'breaking'],
  ['values that are listed now', {}, { enum: ['a'] }, '/enum', 'narrowed'],
  ['values that are listed now beside a type', text, { ...text, enum: ['a'] }, '/enum', 'narrowed'],
  ['a lower least', { minimum: 5 }, { minimum: 3 }, '/minimum', 'widened'],
  ['a lower most', { maxLength: 5 }, { maxLength: 3 }, '/maxLength', 'narrowed'],
  ['another pattern', { pattern: 'a' }, { pattern: 'b' }, '/pattern', 'breaking'],
  ['words', { description: 'a' }, { description: 'b' }, '/description', 'words'],
  [
    'nothing beside what is named',
    object({}),
    object({}, { additionalProperties: false }),
    ...(['/additionalProperties', 'narrowed'] as const),
  ],
  ['items', { items: text }, { items: { ...text, minLength: 1 } }, '/items/minLength', 'narrowed'],
  [
    'one more to meet',
    { allOf: [text] },
    { allOf: [text, { minLength: 1 }] },
    '/allOf',
    'narrowed',
  ],
  ['names with a slash', object({}), object({ 'a/b~': {} }), '/properties/a~1b~0', 'widened'],
])('%s', (_, before, after, path, effect) => {
  expect(schemaChanges(before, after).map((one) => [one.path, one.effect])).toEqual([
    [path, effect],
  ]);
});

test('a schema that came narrows, and one that went widens', () => {
  expect(schemaChanges(undefined, text)).toEqual([
    { path: '', before: null, after: text, effect: 'narrowed' },
  ]);
  expect(schemaChanges(text, undefined)).toMatchObject([{ effect: 'widened' }]);
});

const names = fc.constantFrom('a', 'b', 'constructor');
const leaf = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom('string', 'integer', 'number', ['string', 'null']),
      enum: fc.subarray(['a', 'b', 1]),
      minimum: fc.integer({ min: 0, max: 2 }),
      maxLength: fc.integer({ min: 0, max: 2 }),
      pattern: fc.constantFrom('a', 'b'),
      description: fc.constantFrom('one', 'two'),
      uniqueItems: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  fc.boolean(),
);
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record(
      {
        properties: fc.dictionary(names, tie('schema')),
        required: fc.uniqueArray(names),
        items: tie('schema'),
        additionalProperties: tie('schema'),
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        $defs: fc.dictionary(names, tie('schema')),
      },
      { requiredKeys: [] },
    ),
  ),
}));
const any = fc.oneof(schema, fc.jsonValue());

test('a schema differs from itself in nothing, however it is spelled', () => {
  fc.assert(
    fc.property(any, (one) => {
      const spelled = JSON.parse(JSON.stringify(one), (_, value) =>
        typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).reverse())
          : value,
      );
      expect(schemaChanges(one, spelled)).toEqual([]);
    }),
  );
});

test('turned round, what was widened is narrowed, and the rest is as it was', () => {
  fc.assert(
    fc.property(any, any, (one, other) => {
      const back = schemaChanges(other, one).map(({ path, before, after, effect }) => ({
        path,
        before: after,
        after: before,
        effect: turned(effect),
      }));
      expect(back).toEqual(schemaChanges(one, other));
    }),
    runsOf(500),
  );
});

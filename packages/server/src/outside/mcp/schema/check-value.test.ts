import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkValue } from './check-value.ts';

const draft7 = 'http://json-schema.org/draft-07/schema#';

describe('the answer is that of ajv', () => {
  test.each([undefined, draft7])('for any schema of common keywords in dialect %s', (dialect) => {
    // One ajv instance checks all schemas, since each instance first compiles the meta-schema,
    // which takes longer than everything else here.
    const options = { strict: false, validateFormats: false };
    const ajv = dialect === undefined ? new Ajv2020(options) : new Ajv(options);
    fc.assert(
      fc.property(schemas(dialect === draft7), values, (schema, value) => {
        const whole = dialect === undefined ? schema : { ...schema, $schema: dialect };
        const expected = answerOf(ajv.compile(whole), value);
        fc.pre(expected !== undefined);
        expect(checkValue(whole, value).state).toBe(expected);
      }),
      runsOf(300),
    );
  });

  test.each([
    { prefixItems: [false], contains: {} },
    { $schema: draft7, items: [false], contains: {} },
  ])('but an empty list never holds what it must contain: %j', (schema) => {
    expect(checkValue(schema, []).state).toBe('invalid');
  });

  test.each([
    [
      {
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
        $ref: '#/$defs/node',
      },
      { next: { next: {} } },
      'valid',
    ],
    [
      {
        $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
        $ref: '#/$defs/node',
      },
      { next: { next: 1 } },
      'invalid',
    ],
    [
      { $defs: { 'a/b': { type: 'string' } }, properties: { x: { $ref: '#/$defs/a~1b' } } },
      { x: 1 },
      'invalid',
    ],
    [
      {
        $schema: draft7,
        properties: { x: { $ref: '#/definitions/t', type: 'string' } },
        definitions: { t: { type: 'number' } },
      },
      { x: 1 },
      'valid',
    ],
    [{ pattern: '^\\d{4}-\\d{2}$' }, '2024-05', 'valid'],
    [{ maxLength: 1 }, '👋', 'valid'],
  ])('%j on %j', (schema, value, state) => {
    expect(checkValue(schema, value).state).toBe(state);
  });
});

/**
 * For some schemas ajv generates code that throws because a name in it is undefined, for example
 * for an `anyOf` below `dependentSchemas`.
 */
function answerOf(validate: (value: unknown) => unknown, value: unknown) {
  try {
    return validate(value) ? 'valid' : 'invalid';
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

test.each([{ toString: 1 }, null, 7, ['x']])(
  'a dialect that is no text, like %j, is not checked',
  (stated) => {
    expect(checkValue({ $schema: stated }, 1)).toMatchObject({ state: 'notValidated' });
  },
);

test('a long list of types makes no long message, and a very long one is not looked at to its end', () => {
  const check = checkValue({ type: new Array(10_000).fill('boolean') }, 1);
  expect(check).toMatchObject({ state: 'invalid' });
  expect('message' in check && check.message.length).toBeLessThan(600);
  expect(checkValue({ type: new Array(60_000).fill('boolean') }, 1)).toMatchObject({
    state: 'notValidated',
  });
});

test('what is wrong and where is said in one sentence', () => {
  const schema = { type: 'object', properties: { rows: { items: { required: ['id'] } } } };
  expect(checkValue(schema, { rows: [{ id: 1 }, {}] })).toEqual({
    state: 'invalid',
    message: 'The value at /rows/1 must have the member id',
  });
});

describe('no answer is given', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => [
      `d${level}`,
      { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
    ]),
  );
  test.each<[string, unknown, unknown]>([
    ['a reference to another place', { $ref: 'http://127.0.0.1:1/schema.json' }, {}],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }, {}],
    ['a reference that leads back to itself', { $ref: '#' }, {}],
    ['a reference to nothing', { $ref: '#/$defs/none' }, {}],
    ['an unknown dialect', { $schema: 'http://example.com/own' }, {}],
    ['unevaluatedProperties', { unevaluatedProperties: false }, {}],
    ['a schema that is none', { properties: 5 }, {}],
    ['a type that is none', { type: 'thing' }, {}],
    ['lookaround', { pattern: '(?=a)a' }, 'a'],
    ['a pattern that unfolds to a large one', { pattern: '\\pL{1000}'.repeat(20) }, 'a'],
    ['nested repetition', { pattern: '((a{10}){10}){10}' }, 'a'],
    [
      'references that double at every step',
      { $defs: { ...doubling, d40: {} }, $ref: '#/$defs/d0' },
      {},
    ],
    [
      'equal items among very many',
      { uniqueItems: true },
      Array.from({ length: 5000 }, (_, i) => i),
    ],
  ])('for %s', (_title, schema, value) => {
    expect(checkValue(schema, value)).toEqual({
      state: 'notValidated',
      message: expect.any(String),
    });
  });
});

test('patterns that try every split are answered', () => {
  expect(checkValue({ pattern: '^(a+)+$' }, `${'a'.repeat(5_000)}b`).state).toBe('invalid');
  expect(checkValue({ pattern: '(x+x+)+y' }, 'x'.repeat(5_000)).state).toBe('invalid');
});

test('members named like those of every object are members like others', () => {
  const value: unknown = JSON.parse('{"__proto__": 1, "constructor": 2}');
  expect(checkValue({ additionalProperties: false }, value).state).toBe('invalid');
  expect(checkValue({ required: ['toString'] }, {}).state).toBe('invalid');
});

// Excludes names that every object inherits, for example `toString`, since ajv itself mishandles
// them.
const names = fc.constantFrom('a', 'b', 'ab', 'c');
const plain = { noNullPrototype: true };
const scalars = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  2,
  3.5,
  '',
  'a',
  'ab',
  'abc',
  '👋',
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { ...plain, maxKeys: 3 }),
  ),
})).value;

function schemas(isDraft7: boolean): fc.Arbitrary<Record<string, unknown>> {
  const types = fc.constantFrom(
    'null',
    'boolean',
    'integer',
    'number',
    'string',
    'array',
    'object',
  );
  const small = fc.integer({ min: 0, max: 3 });
  return fc.letrec<{ schema: unknown; part: unknown }>((tie) => {
    const part = tie('part');
    const parts = fc.array(part, { minLength: 1, maxLength: 2 });
    const named = (keys: fc.Arbitrary<string>, of: fc.Arbitrary<unknown>) =>
      fc.dictionary(keys, of, { ...plain, maxKeys: 2 });
    const someNames = fc.uniqueArray(names, { maxLength: 2 });
    const keywords: [string, fc.Arbitrary<unknown>][] = [
      ['type', fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }))],
      ['enum', fc.uniqueArray(scalars, { minLength: 1, maxLength: 3 })],
      ['const', values],
      ['multipleOf', fc.constantFrom(1, 2, 0.5)],
      ['pattern', fc.constantFrom('a', '^ab?$', 'b$')],
      ['uniqueItems', fc.boolean()],
      ['required', someNames],
      ['properties', named(names, part)],
      ['patternProperties', named(fc.constantFrom('^a', 'b$'), part)],
      ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(of(small)),
      ...['minLength', 'maxLength', 'minItems', 'maxItems'].map(of(small)),
      ...['minProperties', 'maxProperties'].map(of(small)),
      ...['contains', 'additionalProperties', 'propertyNames', 'not', 'items'].map(of(part)),
      ...['if', 'then', 'else'].map(of(part)),
      ...['allOf', 'anyOf', 'oneOf'].map(of(parts)),
    ];
    const older: [string, fc.Arbitrary<unknown>][] = [
      ['items', parts],
      ['additionalItems', part],
      ['dependencies', named(names, fc.oneof(part, someNames))],
    ];
    const newer: [string, fc.Arbitrary<unknown>][] = [
      ['prefixItems', parts],
      ['minContains', small],
      ['maxContains', small],
      ['dependentRequired', named(names, someNames)],
      ['dependentSchemas', named(names, part)],
    ];
    const entries = [...keywords, ...(isDraft7 ? older : newer)].map(([name, value]) =>
      fc.tuple(fc.constant(name), value),
    );
    return {
      part: fc.oneof({ maxDepth: 2 }, fc.boolean(), tie('schema')),
      schema: fc
        .uniqueArray(fc.oneof(...entries), { maxLength: 5, selector: ([name]) => name })
        .map((members) => Object.fromEntries(members))
        .map(withoutForgottenContains),
    };
  }).schema as fc.Arbitrary<Record<string, unknown>>;
}

/**
 * Removes `contains` beside a list of item schemas, because ajv ignores it for an empty array. Its
 * answer would be wrong there.
 */
function withoutForgottenContains(schema: Record<string, unknown>): Record<string, unknown> {
  const hasTuple = Array.isArray(schema['items']) || 'prefixItems' in schema;
  if (!hasTuple) return schema;
  const { contains: _, ...others } = schema;
  return others;
}

function of(value: fc.Arbitrary<unknown>): (name: string) => [string, fc.Arbitrary<unknown>] {
  return (name) => [name, value];
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentFields } from './argument-fields.ts';
import { argumentProblems, argumentWarnings, pathKey } from './argument-problems.ts';
import {
  argumentText,
  firstArguments,
  linesShown,
  readArguments,
  typedValue,
  valueAt,
  withRequiredObjects,
  withValue,
} from './argument-values.ts';
import { argumentList, limitWords, unchosenWords } from './argument-words.ts';

const order = {
  type: 'object',
  properties: {
    title: { type: 'string', description: 'What to order.', maxLength: 5 },
    copies: { type: 'integer', minimum: 1, maximum: 10 },
    price: { type: 'number', default: 1.5 },
    gift: { type: 'boolean' },
    size: { enum: ['small', 'large'], default: 'small' },
    address: {
      type: 'object',
      properties: { city: { type: 'string' }, zip: { type: 'string' } },
      required: ['city'],
    },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    until: { type: ['string', 'null'] },
    lines: { type: 'array', items: { type: 'object', properties: { a: {} } } },
  },
  required: ['title', 'copies'],
};
const { fields } = argumentFields(order);
const kinds = (schema: unknown) =>
  argumentFields(schema).fields.map(({ name, kind, type }) => [name, kind, type]);

describe('the fields of a schema', () => {
  test('each plain type has its control, and the rest is JSON', () => {
    expect(kinds(order)).toEqual([
      ['title', 'text', 'text'],
      ['copies', 'integer', 'integer'],
      ['price', 'number', 'number'],
      ['gift', 'boolean', 'yes or no'],
      ['size', 'choice', 'choice'],
      ['address', 'object', 'object'],
      ['tags', 'list', 'list of text'],
      ['note', 'json', 'text or null'],
      ['until', 'json', 'text or null'],
      ['lines', 'json', 'list'],
    ]);
  });

  test('are told in plain words, each fact once', () => {
    const factsText = (schema: unknown, required: string[] = []) => {
      const [field] = argumentFields({ properties: { a: schema }, required }).fields;
      if (field === undefined) throw new Error('A field is missing.');
      return [field.type, ...limitWords(field), unchosenWords(field)].join(' · ');
    };
    expect(factsText({ enum: ['warn'] })).toBe('always warn · Left out');
    expect(factsText({ enum: ['a', 'b'], default: 'b' })).toBe(
      'choice · one of a, b · default b · Left out: b holds by default',
    );
    expect(factsText({ type: 'boolean', default: false })).toBe(
      'yes or no · default no · Left out: no holds by default',
    );
    expect(factsText({ type: ['boolean', 'null'] }, ['a'])).toBe('yes or no or null · Choose…');
    expect(factsText({ type: 'string', minLength: 1 }, ['a'])).toBe(
      'text · at least 1 character · Choose…',
    );
    expect(factsText({ type: 'string', minLength: 0, maxLength: 1 }, ['a'])).toContain(
      '0 to 1 character ',
    );
    const list = { type: 'array', items: { type: 'string' }, minItems: 2 };
    expect(factsText(list, ['a'])).toContain('at least 2 items');
  });

  test('show their text whole up to a bound', () => {
    expect(linesShown('{}', 2)).toBe(2);
    expect(linesShown('{\n"a": 1,\n"b": 2\n}', 2)).toBe(4);
    expect(linesShown('\n'.repeat(500), 2)).toBe(16);
  });

  test('references inside the schema are followed, and circles end', () => {
    const schema = {
      properties: {
        one: { $ref: '#/$defs/node' },
        same: { $ref: '#/$defs/loop' },
        rows: { $ref: '#/$defs/rows' },
      },
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } },
        loop: { $ref: '#/$defs/loop' },
        rows: { type: 'array', items: { $ref: '#/$defs/rows' } },
      },
    };
    expect(kinds(schema)).toEqual([
      ['one', 'object', 'object'],
      ['same', 'json', 'anything'],
      ['rows', 'json', 'list'],
    ]);
    expect(argumentList(argumentFields(schema).fields).map(({ depth }) => depth)).toEqual([
      0, 1, 2, 3, 4, 0, 0,
    ]);
  });

  test('a schema with more properties than a form can show leaves the rest to the JSON', () => {
    const names = Array.from({ length: 250 }, (_, index) => [`p${index}`, { type: 'string' }]);
    const form = argumentFields({ properties: Object.fromEntries(names) });
    expect([form.fields.length, form.leftOut]).toEqual([100, 150]);
  });

  test('whatever stands in a schema, reading it, filling it and checking it never fails', () => {
    const key = fc.constantFrom(
      ...['type', 'properties', 'required', 'items', 'enum', 'const', 'anyOf', 'allOf', '$ref'],
      ...['$defs', 'minimum', 'default', 'description', '__proto__', 'a'],
    );
    const word = fc.constantFrom('object', 'array', 'string', '#/$defs/a', '#/$defs/__proto__');
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 6 },
        word,
        fc.integer(),
        fc.constant(null),
        fc.boolean(),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.dictionary(key, tie('schema'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(schema, (any) => {
        const form = argumentFields(any);
        const first = firstArguments(form.fields);
        argumentProblems(form.fields, first);
        for (const { path, description } of argumentList(form.fields)) {
          expect([typeof path, typeof description]).toEqual(['string', 'string']);
        }
      }),
    );
  });
});

describe('the arguments', () => {
  test('begin with what is required and has a default', () => {
    const required = ['price', 'address', 'title'];
    expect(firstArguments(argumentFields({ ...order, required }).fields)).toEqual({
      price: 1.5,
      address: {},
    });
  });

  test('changing one value leaves all others as they are, unknown ones too', () => {
    const value = { other: [1], address: { city: 'A', more: 1 } };
    expect(withValue(value, ['address', 'city'], 'B')).toEqual({
      other: [1],
      address: { city: 'B', more: 1 },
    });
    expect(value.address.city).toBe('A');
  });

  test('emptying the last field of an object takes the object away', () => {
    expect(withValue({ address: { city: 'A' } }, ['address', 'city'], undefined)).toEqual({});
  });

  test('an object that is required stays when it is emptied', () => {
    const form = argumentFields({ ...order, required: ['address'] }).fields;
    const emptied = withValue({ address: { city: 'A' } }, ['address', 'city'], undefined);
    expect(withRequiredObjects(form, emptied)).toEqual({ address: {} });
    expect(withRequiredObjects(fields, emptied)).toEqual({});
  });

  test('items of a list are changed in place and never leave a hole', () => {
    const one = withValue({}, ['tags', 0], 'a');
    expect(withValue(one, ['tags', 1], undefined)).toEqual({ tags: ['a', ''] });
  });

  test('a property called __proto__ is a property like any other', () => {
    const value = withValue({}, ['__proto__', 'x'], 1);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"x":1}}');
    expect(valueAt({}, ['__proto__'])).toBeUndefined();
    expect(valueAt(value, ['__proto__', 'x'])).toBe(1);
  });

  test('what was typed becomes a value, and shows again as it was typed', () => {
    expect(typedValue('integer', '12')).toBe(12);
    expect(typedValue('number', '1.')).toBe('1.');
    expect(typedValue('number', '0x10')).toBe('0x10');
    expect(typedValue('number', '9e999')).toBe('9e999');
    expect(typedValue('text', '12')).toBe('12');
    expect(typedValue('json', 'hello')).toBe('hello');
    expect(typedValue('json', 'null')).toBe(null);
    expect(typedValue('json', ' ')).toBeUndefined();
    expect(argumentText('number', '1.')).toBe('1.');
    expect(argumentText('text', 5)).toBe('5');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typedValue('json', argumentText('json', value))).toEqual(
          JSON.parse(JSON.stringify(value)),
        );
      }),
    );
  });

  test('the JSON must be one object', () => {
    expect(readArguments('')).toEqual({ arguments: {} });
    expect(readArguments('{"a":1}')).toEqual({ arguments: { a: 1 } });
    for (const text of ['{', '[]', 'null', '3']) {
      expect(readArguments(text)).toEqual({ problem: expect.any(String) });
    }
  });
});

describe('the problems', () => {
  const found = (value: Record<string, unknown>) => [...argumentProblems(fields, value).keys()];

  test('right arguments have none', () => {
    const value = {
      title: 'five5',
      copies: 10,
      price: 0,
      gift: false,
      size: 'large',
      address: { city: 'A' },
      tags: ['a', 'b'],
      note: null,
      until: 'x',
      lines: [{}],
    };
    expect(found(value)).toEqual([]);
  });

  test('all of them are told at once, each at its path', () => {
    const value = {
      copies: 1.5,
      price: 'soon',
      gift: 'yes',
      size: 'huge',
      address: {},
      tags: ['a', 5],
      note: '{"a":',
    };
    expect(found(value)).toEqual(
      [
        ['title'],
        ['copies'],
        ['price'],
        ['gift'],
        ['size'],
        ['address', 'city'],
        ['tags', 1],
        ['note'],
      ].map(pathKey),
    );
  });

  test.each([
    [{ title: 'sixsix', copies: 1 }, 'at most 5 characters'],
    [{ title: 'a', copies: 0 }, 'at least 1'],
    [{ title: 'a', copies: 11 }, 'at most 10'],
    [{ title: 'a', copies: 1, tags: ['a', 'b', 'c'] }, 'at most 2 items'],
    [{ title: 'a', copies: 1, address: 'A' }, 'must be an object'],
  ])('%j breaks a limit', (value, words) => {
    expect([...argumentProblems(fields, value).values()]).toEqual([expect.stringContaining(words)]);
  });

  test('of a call that is written down they are told at their place, once something is stated', () => {
    const at = ['steps', 0, 'arguments'];
    const warned = (value: Record<string, unknown>, isFilledIn = false) => [
      ...argumentWarnings(fields, value, at, () => isFilledIn).keys(),
    ];
    expect(warned({})).toEqual([]);
    const value = { title: 'a', copies: 'abc' };
    expect(warned(value)).toEqual([pathKey([...at, 'copies'])]);
    expect(warned(value, true)).toEqual([]);
    expect(warned({ title: 'a' }, true)).toEqual([pathKey([...at, 'copies'])]);
  });

  test('a pattern is never run', () => {
    const hostile = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const value = { a: `${'a'.repeat(5000)}!` };
    expect(argumentProblems(argumentFields(hostile).fields, value).size).toBe(0);
  });
});

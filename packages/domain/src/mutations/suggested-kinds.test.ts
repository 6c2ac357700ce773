import { describe, expect, test } from 'vitest';
import type { AssertionContext } from '../assertions/assertion-kind.ts';
import type { ToolCall, Transcript } from '../assertions/transcript.ts';
import type { Mutant } from './mutant.ts';
import { noticesMutant, type SeenTrials, suggestAssertion } from './suggest-assertion.ts';

/**
 * A stand-in schema engine that checks only what these tests use: types, required fields,
 * `minItems`.
 */
const schemas = {
  check: (schema: { type?: string; required?: string[]; minItems?: number }, value: unknown) => {
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    const lacks = (schema.required ?? []).some((name) => !Object.hasOwn(value as object, name));
    const isShort = Array.isArray(value) && value.length < (schema.minItems ?? 0);
    return type !== schema.type || lacks || isShort
      ? { state: 'invalid', problem: 'another shape' }
      : { state: 'valid' };
  },
};
const context: AssertionContext = {
  patterns: { compile: () => ({ problem: 'none here' }) } as never,
  schemas: schemas as never,
};
const own = { serverName: 'shop', toolName: 'price' };
const call = (over: Partial<ToolCall> = {}): ToolCall => ({
  ...own,
  arguments: { id: 1 },
  result: { text: '31' },
  ...over,
});
const saw = (calls: readonly ToolCall[], over: Partial<Transcript> = {}): Transcript => ({
  toolCalls: [...calls],
  toolErrors: [],
  finalAssistantMessage: 'Done.',
  ...over,
});
const answered = (value: unknown) =>
  saw([call({ result: { text: JSON.stringify(value), structuredContent: value } })]);
const textAnswer = (text: string) => saw([call({ result: { text } })]);
const suggest = (
  mutant: Partial<Mutant>,
  base: Transcript,
  other: Transcript,
  seen: Partial<SeenTrials> = {},
) =>
  suggestAssertion(
    { ...own, operator: 'empty', ...mutant },
    { base: [base], mutant: [other], asksModel: true, ...seen },
    context,
  );

describe('for a changed value', () => {
  test.each<readonly [string, unknown, unknown, object]>([
    ['a number', { a: 1, b: 2 }, { a: 1, b: 3 }, { pointer: '/b', equals: 2 }],
    ['a text', { a: 'x' }, { a: 'y' }, { pointer: '/a', equals: 'x' }],
    ['true', { a: true }, { a: false }, { pointer: '/a', equals: true }],
    ['null', { a: null }, { a: 1 }, { pointer: '/a', equals: null }],
    [
      'a place further inside',
      { a: { b: [{ c: 5 }] } },
      { a: { b: [{ c: 6 }] } },
      { pointer: '/a/b/0/c', equals: 5 },
    ],
    ['a field that is gone', { a: 1, b: 2 }, { a: 1 }, { pointer: '/b', equals: 2 }],
    ['the first of several', { a: 1, b: 2 }, { a: 5, b: 6 }, { pointer: '/a', equals: 1 }],
    ['a number instead of a text', { a: '1' }, { a: 1 }, { pointer: '/a', equals: '1' }],
    ['a list that lost its items', { a: [] }, { a: {} }, { pointer: '/a', equals: [] }],
    ['a name with a slash', { 'a/b': 1 }, { 'a/b': 2 }, { pointer: '/a~1b', equals: 1 }],
  ])('%s is asked for where it stands', (_, before, after, asked) => {
    expect(suggest({}, answered(before), answered(after))).toEqual({
      type: 'toolResultPath',
      toolName: 'price',
      ...asked,
    });
  });

  test.each([[true], [7], ['word'], [null]])('the whole value %j is asked for', (value) => {
    const found = suggest({}, answered(value), answered({ other: 1 }));
    expect(found).toEqual({
      type: 'toolResultPath',
      toolName: 'price',
      pointer: '',
      equals: value,
    });
  });

  test('a call that was not made any more lacks all of its values', () => {
    const found = suggest({}, answered({ a: 1 }), saw([]));
    expect(found).toMatchObject({ type: 'toolResultPath', pointer: '/a', equals: 1 });
  });

  test('what stayed as it was is not asked for', () => {
    const found = suggest({}, answered({ kept: 1, b: { c: 2 } }), answered({ kept: 1, b: {} }));
    expect(found).toMatchObject({ pointer: '/b/c', equals: 2 });
  });

  test('what is another in each trial of the base is only asked to be there', () => {
    const found = suggestAssertion(
      { ...own, operator: 'field-missing' },
      { base: [answered({ at: 1 }), answered({ at: 2 })], mutant: [answered({})], asksModel: true },
      context,
    );
    expect(found).toMatchObject({ type: 'toolResultPath', pointer: '/at', exists: true });
  });

  test('a shape is asked for where no value is the same twice', () => {
    const list = (from: number) => answered([{ id: from, at: from + 1 }]);
    const found = suggestAssertion(
      { ...own, operator: 'wrong-type' },
      { base: [list(1), list(5)], mutant: [answered({ text: 'x' })], asksModel: true },
      context,
    );
    // The fields of the first item are missing too, but the check that the item exists is simpler.
    expect(found).toMatchObject({ type: 'toolResultPath', pointer: '/0', exists: true });
    const empty = suggestAssertion(
      { ...own, operator: 'wrong-type' },
      { base: [answered([]), answered([])], mutant: [answered({})], asksModel: true },
      context,
    );
    expect(empty).toEqual({
      type: 'toolResultMatchesSchema',
      toolName: 'price',
      schema: { type: 'array' },
    });
  });
});

test('nothing is asked for where one trial of the mutant was as those of the base', () => {
  const found = suggestAssertion(
    { ...own, operator: 'wrong-type' },
    { base: [answered({ a: 1 })], mutant: [answered({ a: 1 }), answered('x')], asksModel: true },
    context,
  );
  expect(found).toBeUndefined();
});

describe('for a changed surface', () => {
  test('the same arguments, exactly, where a call was made with others', () => {
    const other = saw([call({ arguments: { id: 1, more: true } })]);
    expect(suggest({ operator: 'parameter-renamed' }, saw([call()]), other)).toEqual({
      type: 'toolCalledWith',
      toolName: 'price',
      args: { args: { id: 1 }, argumentMatching: 'exact' },
    });
  });

  test('each call of the base is tried', () => {
    const [one, two] = [call(), call({ arguments: { id: 2 } })];
    const found = suggest({ operator: 'parameter-renamed' }, saw([one, two]), saw([one]));
    expect(found).toMatchObject({ args: { args: { id: 2 } } });
  });

  test('any call, where the arguments differ each time', () => {
    const found = suggestAssertion(
      { ...own, operator: 'tool-missing' },
      {
        base: [saw([call()]), saw([call({ arguments: { id: 2 } })])],
        mutant: [saw([])],
        asksModel: true,
      },
      context,
    );
    expect(found).toEqual({ type: 'toolCalledAtLeastOnce', toolName: 'price' });
  });

  test('with its server where several have a tool of the name', () => {
    const found = suggest({ operator: 'tool-missing' }, saw([call()]), saw([]), {
      namesServer: true,
    });
    expect(found).toMatchObject({ toolName: 'price', serverName: 'shop' });
    const without = suggest({ operator: 'tool-missing' }, saw([call()]), saw([]));
    expect(without).not.toHaveProperty('serverName');
  });

  test('nothing of results, though they changed', () => {
    const found = suggest({ operator: 'tool-missing' }, textAnswer('first'), textAnswer('other'));
    expect(found).toBeUndefined();
  });

  test('calls that were not made, of another server or another tool do not count', () => {
    const others = [
      call({ notMade: 'refused' as never, arguments: { id: 5 } }),
      call({ serverName: 'store', arguments: { id: 6 } }),
      call({ toolName: 'stock', arguments: { id: 7 } }),
    ];
    // Another server has a tool with the same name, so the suggested assertion cannot require
    // specific arguments.
    const found = suggest({ operator: 'tool-missing' }, saw(others), saw([]));
    expect(found).toEqual({ type: 'toolCalledAtLeastOnce', toolName: 'price' });
    const named = suggest({ operator: 'tool-missing' }, saw(others), saw([]), {
      namesServer: true,
    });
    expect(named).toBeUndefined();
  });
});

describe('for an error', () => {
  const toolErrors = [{ toolName: 'price', kind: 'content-error', message: '' }] as never;
  const failed = saw([call({ result: { text: 'No.' } })], { toolErrors });

  test.each(['error', 'slow'] as const)('after %s first that there is none', (operator) => {
    expect(suggest({ operator }, textAnswer('31 euros'), failed)).toEqual({ type: 'noToolErrors' });
  });

  test.each(['empty', 'truncated'] as const)('after %s last', (operator) => {
    expect(suggest({ operator }, textAnswer('31 euros'), failed)).toMatchObject({ needle: '31' });
    const same = saw([call()], { toolErrors });
    expect(suggest({ operator }, saw([call()]), same)).toEqual({ type: 'noToolErrors' });
  });
});

test.each([
  ['base', { base: [] }],
  ['mutant', { mutant: [] }],
])('without a trial of the %s nothing is suggested', (_, seen) => {
  expect(suggest({}, textAnswer('31 euros'), textAnswer('-'), seen)).toBeUndefined();
});

test.each(['[hidden]', '[redacted]', '$redacted'])('%s is never quoted', (hidden) => {
  expect(suggest({}, answered({ a: hidden }), answered({ a: 'x' }))).not.toMatchObject({
    equals: hidden,
  });
  expect(
    suggest({ operator: 'truncated' }, textAnswer(`"${hidden}" left`), textAnswer('-')),
  ).toMatchObject({
    needle: 'left',
  });
});

test('an assertion notices a mutant where it holds in all trials of the base and in none of the mutant', () => {
  const assertion = { type: 'toolResultContains', toolName: 'price', needle: 'euros' } as const;
  const [yes, no] = [textAnswer('31 euros'), textAnswer('-')];
  const notices = (base: Transcript[], mutant: Transcript[]) =>
    noticesMutant(assertion, { base, mutant }, context);
  expect(notices([yes, yes], [no, no])).toBe(true);
  expect(notices([yes, no], [no])).toBe(false);
  expect(notices([yes], [no, yes])).toBe(false);
  expect(notices([yes], [yes])).toBe(false);
});

test('where the trials of the mutant have no answer, nothing is noticed', () => {
  const assertion = { type: 'toolResultMatchesSchema', toolName: 'price', schema: {} } as const;
  const answers = { check: (_: unknown, value: unknown) => answerFor(value) };
  const answerFor = (value: unknown) =>
    value === 31 ? { state: 'valid' } : { state: 'notChecked', problem: 'too large' };
  const seen = { base: [textAnswer('31')], mutant: [textAnswer('32')] };
  expect(noticesMutant(assertion, seen, { ...context, schemas: answers as never })).toBe(false);
  const refuses = {
    check: (_: unknown, value: unknown) => ({
      state: value === 31 ? 'valid' : 'invalid',
      problem: 'x',
    }),
  };
  expect(noticesMutant(assertion, seen, { ...context, schemas: refuses as never })).toBe(true);
});

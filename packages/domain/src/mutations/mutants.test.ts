import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import type { Mutant } from './mutant.ts';
import { mutantWords } from './mutant-words.ts';
import { isSameJson, mutablePaths, mutateAnswer } from './mutate-answer.ts';
import { mutateCall, mutateListing } from './mutate-listing.ts';
import { mutationOperators, sideOfOperator } from './operators.ts';
import { type MutantsToPlan, planMutants } from './plan-mutants.ts';

const tool = (name: string, description: string, properties: object, required: string[] = []) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required },
});
const surface = [
  {
    serverName: 'shop',
    tools: [
      tool('search', 'Search books.', { query: {}, limit: {} }, ['query']),
      tool('order', 'Order a book.', { bookId: {} }, ['bookId']),
    ],
  },
];
const textOf = (value: unknown): Json => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});
const answers = [
  { serverName: 'shop', toolName: 'search', result: textOf([{ title: 'A', price: 3 }]) },
  { serverName: 'shop', toolName: 'search', result: textOf([{ title: 'B', price: 4 }]) },
  {
    serverName: 'shop',
    toolName: 'order',
    result: { ...textOf('2 copies for 48.'), structuredContent: { total: 48, copies: 2 } },
  },
];
const plan = (over: Partial<MutantsToPlan> = {}) =>
  planMutants({ surface, answers, seed: 1, maxMutants: 500, isTouched: () => true, ...over });

test('every operator has a mutant here, in words of its own', () => {
  const mutants = plan();
  expect(new Set(mutants.map(({ operator }) => operator))).toEqual(new Set(mutationOperators));
  expect(new Set(mutants.map(mutantWords)).size).toBe(mutants.length);
});

test('an answer out of which something was taken is given for no other', () => {
  const marked = { ...answers[1], result: textOf({ token: { $redacted: 1 } }) } as never;
  const ofSearch = plan({ answers: [answers[0] as never, marked] });
  expect(ofSearch.map(({ operator }) => operator)).not.toContain('previous-answer');
});

test('the same seed gives the same mutants, another seed other ones', () => {
  const some = (seed: number) => plan({ seed, maxMutants: 10 });
  expect(some(7)).toEqual(some(7));
  expect(some(7)).not.toEqual(some(8));
});

test('a bound is kept, and tools and operators take turns', () => {
  const mutants = plan({ maxMutants: 13 });
  expect(mutants).toHaveLength(13);
  expect(new Set(mutants.map(({ operator }) => operator)).size).toBeGreaterThan(10);
  const ofOrder = mutants.filter(({ toolName }) => toolName === 'order').length;
  expect([6, 7]).toContain(ofOrder);
});

test('tools that are touched come first, and only asked operators', () => {
  const isTouched = ({ toolName }: { toolName: string }) => toolName === 'order';
  const mutants = plan({ isTouched, operators: ['tool-missing'] });
  expect(mutants.map(({ toolName }) => toolName)).toEqual(['order', 'search']);
});

describe('of an answer', () => {
  const mutate = (over: Partial<Mutant>, result: Json, previous?: Json) =>
    mutateAnswer({ operator: 'error', serverName: 's', toolName: 't', ...over }, result, previous);
  const books = textOf([{ title: 'A', price: 3 }]);

  test.each<[Partial<Mutant>, unknown]>([
    [{ operator: 'empty' }, '[]'],
    [{ operator: 'truncated' }, '[{"title":"A'],
    [{ operator: 'number-off-by-one', path: '/0/price' }, '[{"title":"A","price":4}]'],
    [{ operator: 'field-missing', path: '/0/price' }, '[{"title":"A"}]'],
    [{ operator: 'wrong-type', path: '/0/price' }, '[{"title":"A","price":"3"}]'],
    [{ operator: 'wrong-type', path: '/0/title' }, '[{"title":["A"],"price":3}]'],
  ])('%j of JSON in text', (over, text) => {
    expect(mutate(over, books)).toEqual({ result: textOf(text) });
  });

  test('what is structured and what tells it change together', () => {
    const both = { ...textOf('2 of 22 cost 2.5.'), structuredContent: { copies: 2 } };
    expect(mutate({ operator: 'number-off-by-one', path: '/copies' }, both)).toEqual({
      result: { ...textOf('3 of 22 cost 2.5.'), structuredContent: { copies: 3 } },
    });
  });

  test('the first number of a plain text', () => {
    expect(mutate({ operator: 'number-off-by-one' }, textOf('Costs 31 of 40.'))).toEqual({
      result: textOf('Costs 32 of 40.'),
    });
  });

  test('the one before, else one that is another', () => {
    const [one, two] = [textOf('one'), textOf('two')];
    const over = { operator: 'previous-answer', earlierAnswers: [one, two] } as const;
    expect(mutate(over, one)).toEqual({ result: two });
    expect(mutate(over, one, books)).toEqual({ result: books });
    expect(mutate(over, one, one)).toEqual({ result: two });
  });

  test('an earlier one from which a secret was taken out is told with a word, and is not another by that', () => {
    const of = (token: unknown, city: string): Json => ({ structuredContent: { token, city } });
    const [rome, oslo] = [of({ $redacted: 1 }, 'Rome'), of({ $redacted: 1 }, 'Oslo')];
    const over = { operator: 'previous-answer', earlierAnswers: [rome, oslo] } as const;
    expect(mutate(over, of('abc', 'Rome'))).toEqual({ result: of('[redacted]', 'Oslo') });
    expect(mutablePaths('wrong-type', rome)).toEqual(['/token', '/city']);
    expect(mutablePaths('number-off-by-one', rome)).toEqual([]);
  });

  test('an error, one that is late, and one that was an error before', () => {
    expect(mutate({ operator: 'error' }, books)).toMatchObject({ result: { isError: true } });
    expect(mutate({ operator: 'slow' }, books)).toBe('late');
    expect(mutate({ operator: 'empty' }, { ...books, isError: true })).toBe('same');
    expect(mutate({ operator: 'field-missing', path: '/9/price' }, books)).toBe('same');
  });
});

test('a renamed parameter is taken by its new name alone, and a required one must be there', () => {
  const path = '/inputSchema/properties/query';
  const own = { serverName: 'shop', toolName: 'search', path };
  const renamed: Mutant = { ...own, operator: 'parameter-renamed' };
  const [listed] = mutateListing(renamed, surface[0] as never);
  expect(listed).toMatchObject({
    inputSchema: { properties: { query_renamed: {} }, required: ['query_renamed'] },
  });
  expect(mutateCall(renamed, { query_renamed: 'x', limit: 1 })).toEqual({
    arguments: { query: 'x', limit: 1 },
  });
  expect(mutateCall(renamed, { query: 'x' })).toEqual({ arguments: {} });
  const required: Mutant = { ...own, operator: 'parameter-required' };
  expect(mutateCall(required, { query: 'x' })).toEqual({ arguments: { query: 'x' } });
  expect(mutateCall(required, {})).toMatchObject({ result: { isError: true } });
});

test('a mutant always differs from its original, whatever is listed and answered', () => {
  const anyName = fc.constantFrom('a', 'b', 'c/d', '~', 'e');
  const anyTool = fc.record({
    name: anyName,
    description: fc.option(fc.constantFrom('', 'One.', 'Two.'), { nil: undefined }),
    inputSchema: fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(anyName, fc.constant({})),
      required: fc.array(anyName),
    }),
  });
  const anyResult = fc.oneof(
    fc.jsonValue().map((value) => textOf(JSON.parse(JSON.stringify(value)))),
    fc.string().map(textOf),
    fc.dictionary(anyName, fc.jsonValue()).map((structuredContent) => ({
      ...textOf('Told 12 times.'),
      structuredContent: JSON.parse(JSON.stringify(structuredContent)),
    })),
  );
  const anyServer = fc.uniqueArray(anyTool, { selector: ({ name }) => name, maxLength: 4 });
  fc.assert(
    fc.property(
      anyServer,
      fc.array(fc.record({ toolName: anyName, result: anyResult }), { maxLength: 6 }),
      fc.integer({ min: 0, max: 2 ** 31 }),
      fc.integer({ min: 1, max: 60 }),
      (tools, seen, seed, maxMutants) => {
        const listed = { serverName: 's', tools: JSON.parse(JSON.stringify(tools)) as Json[] };
        const given = seen.map((one) => ({ serverName: 's', ...one }));
        const asked = {
          surface: [listed],
          answers: given,
          seed,
          maxMutants,
          isTouched: () => true,
        };
        const mutants = planMutants(asked);
        expect(planMutants(asked)).toEqual(mutants);
        expect(mutants.length).toBeLessThanOrEqual(maxMutants);
        expect(new Set(mutants.map((one) => JSON.stringify(one))).size).toBe(mutants.length);
        for (const mutant of mutants) {
          if (sideOfOperator(mutant.operator) === 'surface') {
            expect(isSameJson(mutateListing(mutant, listed), listed.tools)).toBe(false);
            continue;
          }
          const own = given.filter(({ toolName }) => toolName === mutant.toolName);
          const changed = own.map(({ result }) => ({ result, to: mutateAnswer(mutant, result) }));
          expect(changed.some(({ to }) => to !== 'same')).toBe(true);
          for (const { result, to } of changed) {
            if (typeof to === 'object') expect(isSameJson(to.result, result)).toBe(false);
          }
        }
      },
    ),
    runsOf(150),
  );
});

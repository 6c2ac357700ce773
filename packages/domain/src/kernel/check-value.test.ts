import { expect, test } from 'vitest';
import * as z from 'zod';
import { checkValue } from './check-value.ts';

const Tagged = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('a'), size: z.int().min(1) }),
  z.strictObject({ kind: z.literal('b'), text: z.string().max(3) }),
]);
const Shape = z.strictObject({
  title: z.string().min(1),
  count: z.int().min(1).max(10).optional(),
  mode: z.enum(['on', 'off']).optional(),
  list: z.array(z.union([Tagged, z.strictObject({ type: z.literal('c') })])).optional(),
  either: z.union([z.literal('unlimited'), z.number()]).optional(),
  own: z.string('Write a word.').optional(),
});

test.each<[string, unknown, readonly [string, string][]]>([
  ['a key that is missing', {}, [['title', 'title is missing.']]],
  ['nothing at all', undefined, [['', 'This is missing.']]],
  ['another type', { title: 3 }, [['title', 'This must be text, not 3.']]],
  ['nothing written', { title: null }, [['title', 'This must be text, not empty.']]],
  ['an empty text', { title: '' }, [['title', 'This must not be empty.']]],
  [
    'no whole number',
    { title: 'x', count: 1.5 },
    [['count', 'This must be a whole number, not 1.5.']],
  ],
  ['too much', { title: 'x', count: 11 }, [['count', 'This must be at most 10.']]],
  ['another word', { title: 'x', mode: 'o' }, [['mode', 'This must be "on" or "off".']]],
  [
    'a key that was meant otherwise, and its own sentence',
    { titel: 'x', own: 1 },
    [
      ['own', 'Write a word.'],
      ['titel', 'Unknown key titel; did you mean title?'],
    ],
  ],
  [
    'what is wrong with the form its tag names',
    { title: 'x', list: [{ kind: 'b', txt: 'long' }] },
    [['list.0.txt', 'Unknown key txt; did you mean text?']],
  ],
  [
    'a tag that is not there',
    { title: 'x', list: [{ kind: 'z' }] },
    [['list.0.kind', 'The kind is unknown; write a or b.']],
  ],
  [
    'none of several types',
    { title: 'x', either: true },
    [['either', 'This must be unlimited or a number.']],
  ],
])('%s is told in plain words', (_title, value, expected) => {
  const checked = checkValue(Shape, value);
  const problems = 'problems' in checked ? checked.problems : [];
  expect(problems.map(({ path, message }) => [path.join('.'), message])).toEqual(expected);
});

test('what is told does not grow with what is wrong', () => {
  const keys = Array.from({ length: 200_000 }, (_, at) => [`titel-${at}`, at]);
  const checked = checkValue(Shape, { title: 'x', ...Object.fromEntries(keys) });
  expect('problems' in checked && checked.problems.length).toBe(20);
  const list = Array.from({ length: 5000 }, () => ({ kind: 'a', size: 0 }));
  const items = checkValue(Shape, { title: 'x', list });
  expect('problems' in items && items.problems.length).toBe(1000);
});

test('what fits is given back', () => {
  expect(checkValue(Shape, { title: 'x' })).toEqual({ value: { title: 'x' } });
});

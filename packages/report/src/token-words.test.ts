import { joinedTokens, surfaceTokens } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { comparedTokenSentences, tokenSentences } from './token-words.ts';

const tool = (name: string, length: number) => ({ name, description: 'x'.repeat(length) });
const counted = (...tools: object[]) =>
  surfaceTokens(
    [{ name: 'Shop', tools: tools.map((one) => ({ ...one })) }],
    ({ length }) => length,
  );
const small = counted(tool('find', 96));
const large = counted(tool('a', 9), tool('big', 1997), tool('b', 99), tool('c', 499));

test('the total is told with its share, and the largest tools with their tokens', () => {
  expect(tokenSentences(large)).toEqual([
    '4 tools take 2,610 tokens of o200k_base (about 657 of others), 1.3 % of a context of 200,000.',
    'The largest: big (2,000), c (500), b (100).',
  ]);
  expect(tokenSentences(small)).toEqual([
    '1 tool takes 100 tokens of o200k_base (about 25 of others), less than 0.1 % of a context of 200,000.',
  ]);
  expect(tokenSentences(counted())).toEqual([]);
});

test('tokens of servers that were counted one by one are told together', () => {
  expect(tokenSentences(joinedTokens([large, small]))[0]).toBe(
    '5 tools take 2,710 tokens of o200k_base (about 682 of others), 1.4 % of a context of 200,000.',
  );
});

test('two runs are told by their difference, and not at all where a list is missing', () => {
  const base = large;
  expect(comparedTokenSentences({ base, compare: small })).toEqual([
    'The tools take 100 tokens of o200k_base (about 25 of others), 2,510 fewer than before.',
  ]);
  expect(comparedTokenSentences({ base: small, compare: large })[0]).toMatch('2,510 more than');
  expect(comparedTokenSentences({ base, compare: base })[0]).toMatch('as many as before.');
  expect(comparedTokenSentences({ base, compare: joinedTokens([]) })).toEqual([]);
});

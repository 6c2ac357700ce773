import { expect, test } from 'vitest';
import { AnswerCache, PreparedJson } from './answer-cache.ts';

const reading = (bytes: number) => new PreparedJson('x'.repeat(bytes));

test('what was kept is found under its name as the same bytes', () => {
  const cache = new AnswerCache();
  const kept = new PreparedJson('{"a":"ä"}');
  cache.keep('one', kept);
  expect(cache.find('one', PreparedJson)).toBe(kept);
  expect(new TextDecoder().decode(kept.bytes)).toBe('{"a":"ä"}');
  expect(cache.find('other', PreparedJson)).toBeUndefined();
});

test('what nobody asked for longest makes room', () => {
  const cache = new AnswerCache(4000);
  for (const name of ['a', 'b', 'c']) cache.keep(name, reading(1000));
  cache.find('a', PreparedJson);
  cache.keep('d', reading(1000));
  expect(['a', 'b', 'c', 'd'].filter((name) => cache.find(name, PreparedJson))).toEqual([
    'a',
    'c',
    'd',
  ]);
});

test('keeping one name again and again takes the room of one', () => {
  const cache = new AnswerCache(4000);
  cache.keep('a', reading(1000));
  for (let time = 0; time < 100; time += 1) cache.keep('b', reading(1000));
  expect(cache.find('a', PreparedJson)).toBeDefined();
});

test('an entry larger than the cache is not kept, and drops no other', () => {
  const cache = new AnswerCache(4000);
  cache.keep('small', reading(1000));
  cache.keep('large', reading(5000));
  expect(cache.find('large', PreparedJson)).toBeUndefined();
  expect(cache.find('small', PreparedJson)).toBeDefined();
});

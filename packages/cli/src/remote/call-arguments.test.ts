import { expect, test } from 'vitest';
import { callArguments, calledTool } from './call-arguments.ts';

const schema = {
  properties: { id: { type: 'number' }, code: { type: 'string' }, tags: { type: 'array' } },
};

test.each([
  [['id=3'], { id: 3 }],
  // The schema declares `code` as a string, so 007 is not converted to a number.
  [['code=007'], { code: '007' }],
  [['tags=["a","b"]'], { tags: ['a', 'b'] }],
  [['other=true', 'word=plain text'], { other: true, word: 'plain text' }],
  [['id='], { id: '' }],
  [['code=a=b'], { code: 'a=b' }],
  [[], {}],
])('%j', (words, parameters) => {
  expect(callArguments(words, undefined, schema)).toEqual(parameters);
});

test('words win over JSON', () => {
  expect(callArguments(['id=4'], '{"id":3,"code":"x"}', schema)).toEqual({ id: 4, code: 'x' });
});

test.each([
  [['id'], undefined, 'not key=value'],
  [['=3'], undefined, 'not key=value'],
  [[], '[1]', 'one JSON object'],
  [[], '{', 'one JSON object'],
])('%j with %j is refused', (words, json, message) => {
  expect(() => callArguments(words, json, schema)).toThrow(message);
});

test('a tool without a schema takes what there is', () => {
  expect(callArguments(['a=1'], undefined, undefined)).toEqual({ a: 1 });
});

test.each([
  [['get'], undefined, 'get', []],
  [['get', 'id=3'], undefined, 'get', ['id=3']],
  [['Shop', 'get'], 'Shop', 'get', []],
  [['Shop', 'get', 'id=3', 'x=='], 'Shop', 'get', ['id=3', 'x==']],
  [['get', '=3'], undefined, 'get', ['=3']],
])('%j calls a tool of a server', (given, server, toolName, words) => {
  expect(calledTool(given)).toEqual({ server, toolName, words });
});

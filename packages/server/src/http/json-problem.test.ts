import { expect, test } from 'vitest';
import { jsonProblem } from './json-problem.ts';

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

test.each([
  ['a number beyond every number', '{"a":{"b":[1e999]}}', 'body.a.b'],
  ['a negative one', '{"a":-1e999}', 'body'],
  ['U+0000 in a text', '{"a":["\\u0000"]}', 'body.a[0]'],
  ['half of a character', '{"a":"\\ud800"}', 'body.a'],
  ['U+0000 in a name', '{"a":{"\\u0000":1}}', 'body.a'],
  ['a name that would change an object', '{"a":{"__proto__":1}}', 'body.a'],
])('%s is found where it stands', (_title, text, path) => {
  expect(jsonProblem(JSON.parse(text))?.path).toBe(path);
});

test('text of other tools may hold any character, and still no such number or name', () => {
  const anyText = { anyText: true };
  expect(jsonProblem(JSON.parse('{"\\u0000":"\\ud800 \\u0000"}'), anyText)).toBeUndefined();
  expect(jsonProblem(JSON.parse('{"a":[1e999]}'), anyText)?.path).toBe('body.a');
  expect(jsonProblem(JSON.parse('{"__proto__":1}'), anyText)?.path).toBe('body');
});

test('64 levels are taken and one more is not', () => {
  expect(jsonProblem(nested(64))).toBeUndefined();
  expect(jsonProblem(nested(65))?.path).toBe('body');
});

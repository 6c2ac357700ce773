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

test('a huge flat list is judged as a small one is, and its places are never named', () => {
  const plain: unknown[] = new Array(300_000).fill(0);
  const named = refusingNames(plain);
  expect(jsonProblem({ list: named })).toBeUndefined();
  plain[299_999] = '\0';
  expect(jsonProblem({ list: named })?.path).toBe('body.list[299999]');
  plain[200_000] = Number.POSITIVE_INFINITY;
  expect(jsonProblem({ list: named })?.path).toBe('body.list');
});

/**
 * Returns a list that throws when its keys are listed, so that it can be read only index by index.
 */
function refusingNames(list: unknown[]): unknown[] {
  return new Proxy(list, {
    ownKeys: () => {
      throw new Error('The names of all places were asked for.');
    },
  });
}

test('of several problems the one found is the same for every body', () => {
  const found = (text: string) => jsonProblem(JSON.parse(text))?.path;
  expect(found('["\\u0000",1,"\\u0000"]')).toBe('body[2]');
  expect(found('[["\\u0000"],"\\u0000",[1e999]]')).toBe('body[2]');
  expect(found('{"a":"\\u0000","b":{"c":"\\ud800"},"d":"x"}')).toBe('body.b.c');
});

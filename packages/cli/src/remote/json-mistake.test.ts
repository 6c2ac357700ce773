import { expect, test } from 'vitest';
import { lineOfJsonMistake } from './json-mistake.ts';

test.each([
  ['{', 1],
  ['{\n  "a": 1,\n', 2],
  ['{\n  "a": {\n    "b": node\n  }\n}', 3],
  ['{\n  "a" 1\n}', 2],
  ['{\n  "a": 1,\n  "b": 2\n}\n}\n', 5],
  ['', 1],
])('%j has its mistake in line %i', (text, line) => {
  expect(lineOfJsonMistake(text)).toBe(line);
});

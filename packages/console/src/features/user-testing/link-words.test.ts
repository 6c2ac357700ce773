import { expect, test } from 'vitest';
import { onlyHere } from './link-words.ts';

test.each([
  ['http://127.0.0.1:3300/user-testing/a/b', true],
  ['http://localhost:3300/user-testing/a/b', true],
  ['http://[::1]:3300/user-testing/a/b', true],
  ['https://proofmark.example/user-testing/a/b', false],
  ['https://127.0.0.1.example/user-testing/a/b', false],
])('%s can be opened on this machine alone: %s', (url, expected) => {
  expect(onlyHere(url)).toBe(expected);
});

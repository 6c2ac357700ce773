import { describe, expect, test } from 'vitest';
import { isEmail, normalizeEmail, passwordProblem } from './credentials.ts';

describe('passwords', () => {
  test.each([
    ['short', true],
    ['elevenchars', true],
    ['twelve chars', false],
    ['x'.repeat(256), false],
    ['x'.repeat(257), true],
    ['Someone@Example.com', true],
  ])('%j has a problem: %s', (password, hasProblem) => {
    expect(passwordProblem(password, 'someone@example.com') !== undefined).toBe(hasProblem);
  });
});

test('addresses are the same whatever their case', () => {
  expect(normalizeEmail(' Ann@Example.COM ')).toBe('ann@example.com');
});

test.each([
  ['ann@example.com', true],
  ['owner@localhost', true],
  ['ann', false],
  ['ann@', false],
  ['a b@example.com', false],
  ['<ann@example.com>', false],
  ['ann\u001b[2J@example.com', false],
  ['ann\u202e@example.com', false],
  [`${'a'.repeat(250)}@b.example`, false],
])('%j is an address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});

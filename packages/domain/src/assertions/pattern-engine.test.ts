import { expect, test } from 'vitest';
import { hasNestedQuantifier } from './pattern-engine.ts';

test.each([
  '(a+)+',
  '(a*)*b',
  '(a+)*',
  '(a?)+',
  '(?:a{2,})+',
  '(a+){2}',
  '(a+?)+',
  '(x+x+)+y',
  '(\\(?)+',
])('%s repeats a group that ends in a quantifier', (pattern) => {
  expect(hasNestedQuantifier(pattern)).toBe(true);
});

test.each([
  'abc',
  '(a)+',
  '(a+)b',
  '(a+b)+',
  '(a\\+)+',
  '\\(a+\\)+',
  '([+*])+',
  '[(a+)+]',
  '(a{)+',
  '(a+){x}',
  '(?:ab)?',
  '(a)+?',
  '\\d{4}-\\d{2}',
])('%s does not', (pattern) => {
  expect(hasNestedQuantifier(pattern)).toBe(false);
});

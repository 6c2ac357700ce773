import { expect, test } from 'vitest';
import { returnPath } from './return-path.ts';

test.each([
  ['/projects/prj_1?x=1#settings', '/projects/prj_1?x=1#settings'],
  ['/api-keys', '/api-keys'],
])('%s is returned to', (wanted, expected) => {
  expect(returnPath(wanted)).toBe(expected);
});

test.each([
  undefined,
  7,
  '',
  'projects',
  '//evil.example/a',
  '/\\evil.example/a',
  '/\t/evil.example',
  '/.//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/',
  '/sign-in?return=/sign-in',
])('%j leads to the start', (wanted) => {
  expect(returnPath(wanted)).toBe('/');
});

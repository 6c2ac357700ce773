import { describe, expect, test } from 'vitest';
import { isAllowedHost, isAllowedOrigin } from './request-origin.ts';

describe('the host', () => {
  test.each([
    'localhost',
    'localhost:3300',
    'LOCALHOST:3300',
    '127.0.0.1:3300',
    '[::1]:3300',
    '192.168.1.20:3300',
    'proofmark.example',
    'Proofmark.Example:443',
    'proofmark.example.',
  ])('%s is answered', (host) => {
    expect(isAllowedHost(host, ['proofmark.example'])).toBe(true);
  });

  test.each([
    undefined,
    '',
    'evil.example',
    'evil.example:3300',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'proofmark.example.evil.example',
    'a b',
    'localhost:3300:1',
    '127.0.0.1@evil.example',
    'evil.example/127.0.0.1',
  ])('%s is refused', (host) => {
    expect(isAllowedHost(host, ['proofmark.example'])).toBe(false);
  });
});

describe('the origin of a write', () => {
  test.each([
    ['http://127.0.0.1:3300', '127.0.0.1:3300', true],
    ['https://proofmark.example', 'inner:3300', true],
    ['http://127.0.0.1:3301', '127.0.0.1:3300', false],
    ['http://localhost:3300', '127.0.0.1:3300', false],
    ['http://evil.example', '127.0.0.1:3300', false],
    ['null', '127.0.0.1:3300', false],
    ['', '127.0.0.1:3300', false],
    [undefined, '127.0.0.1:3300', false],
    ['http://127.0.0.1:3300', undefined, false],
  ])('%s to %s: %s', (origin, host, allowed) => {
    expect(isAllowedOrigin(origin, host, ['https://proofmark.example'])).toBe(allowed);
  });
});

import { expect, test } from 'vitest';
import { Secrets } from './secrets.ts';

test('what was sent is hidden in what is quoted, in every form it was sent in', () => {
  const secrets = new Secrets({
    kind: 'http',
    url: 'https://example.com/mcp?key=query%2Fsecret',
    headers: { authorization: 'Bearer header-secret', 'x-key': 'plain-secret' },
  });
  secrets.add('token+secret');
  const text =
    'header-secret Bearer header-secret plain-secret query/secret query%2Fsecret token+secret token%2Bsecret';
  expect(secrets.quote(text)).not.toMatch(/secret/);
});

test('the environment of a program is hidden', () => {
  const env = { API_KEY: 'very-hidden' };
  const secrets = new Secrets({ kind: 'stdio', command: '/bin/x', args: [], env });
  expect(secrets.quote('key very-hidden is bad')).toBe('key [hidden] is bad');
});

test('a line of a variable that has several is hidden too', () => {
  const env = { PRIVATE_KEY: '-----BEGIN KEY-----\nMIIEvQIBADANB\n-----END KEY-----\n' };
  const secrets = new Secrets({ kind: 'stdio', command: '/bin/x', args: [], env });
  expect(secrets.quote('Error: bad line MIIEvQIBADANB')).toBe('Error: bad line [hidden]');
});

test('an argument that is named as a secret is hidden, and others are told', () => {
  const args = [
    '/srv/shop.js',
    '--api-key=first-key',
    '--token',
    'second-key',
    '--level',
    'verbose',
  ];
  const secrets = new Secrets({ kind: 'stdio', command: '/bin/x', args, env: {} });
  const quoted = secrets.quote('Error: /srv/shop.js first-key second-key verbose');
  expect(quoted).toBe('Error: /srv/shop.js [hidden] [hidden] verbose');
});

test('paths of the machine are told, for an error is about one', () => {
  const env = { HOME: '/shelf/ada', SHOP_KEY: 'first-key' };
  const secrets = new Secrets({ kind: 'stdio', command: '/bin/x', args: [], env });
  expect(secrets.quote('No /shelf/ada/shop.js first-key')).toBe('No /shelf/ada/shop.js [hidden]');
});

test('quoted text is one bounded line without control characters', () => {
  const secrets = new Secrets({ kind: 'http', url: 'https://example.com/', headers: {} });
  expect(secrets.quote('a\u0000b\u001b[31m\nc\u202ed')).toBe('a b [31m c d');
  expect(secrets.quote('x'.repeat(100_000))).toHaveLength(500);
});

test('what is saved stays hidden however many tokens follow, and so do the last tokens', () => {
  const headers = { authorization: 'Bearer saved-secret' };
  const secrets = new Secrets({ kind: 'http', url: 'https://example.com/', headers });
  for (let turn = 0; turn < 1_000; turn += 1) secrets.add(`token/${turn}/secret`);
  expect(secrets.quote('saved-secret token/999/secret')).toBe('[hidden] [hidden]');
  expect(secrets.quote('token/0/secret')).toBe('token/0/secret');
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordingRedactor } from '../recordings/redact-recording.ts';
import { hideSecrets } from './redact.ts';
import { findSecrets } from './secret-shapes.ts';

/** Test secrets are assembled at run time, so that secret scanners do not report this file. */
const word = (length: number, letters = 'a1B2c3D4e5F6g7H8') => letters.repeat(20).slice(0, length);
const joined = (...parts: string[]) => parts.join('');

const planted: readonly (readonly [
  kind: string,
  secret: string,
  around?: readonly [string, string],
])[] = [
  ['GitHub token', joined('gh', 'p_', word(36))],
  ['GitHub token', joined('github', '_pat_', word(22), '_', word(59))],
  ['GitLab token', joined('gl', 'pat-', word(20))],
  ['Slack token', joined('xo', 'xb-1234567890-', word(24))],
  ['AWS access key', joined('AK', 'IA', word(16, 'ABCD2345'))],
  ['Google key', joined('AI', 'za', word(35))],
  ['Stripe key', joined('sk_', 'live_', word(24))],
  ['model key', joined('sk-', 'ant-api03-', word(40))],
  ['model key', joined('sk-', 'proj-', word(40))],
  ['npm token', joined('npm', '_', word(36))],
  ['Hugging Face token', joined('hf', '_', word(34, 'aB3dE'))],
  ['JSON Web Token', joined('ey', 'J', word(20), '.ey', 'J', word(30), '.', word(43))],
  [
    'private key',
    joined('-----BEGIN RSA PRIV', 'ATE KEY-----\n', word(64), '\n-----END RSA PRIVATE KEY-----'),
  ],
  ['private key', joined('-----BEGIN OPENSSH PRIV', 'ATE KEY-----\n', word(64)), ['It is ', '']],
  ['password in an address', 'hunter2', ['postgres://shop:', '@db.internal:5432/shop']],
  ['password in an address', 'pa55', ['mongodb+srv://shop:', '@db.internal/shop']],
  ['credential', word(24), ['Authorization is Bearer ', '']],
  ['value of a telling name', 'c0rrect-horse', ['DB_PASSWORD=', '']],
  ['value of a telling name', word(40), ['aws_secret_access_key = ', '']],
];

describe.each(planted)('%s %#', (kind, secret, [before, after] = ['It is ', ' by now.']) => {
  const text = `${before}${secret}${after}`;

  test('is found as it stands, and in JSON', () => {
    const [found, ...others] = findSecrets(text);
    expect(others).toEqual([]);
    expect(found?.kind).toBe(kind);
    expect(text.slice(found?.from, found?.to)).toBe(secret);
  });

  test('stands neither in what is recorded nor in what is shown', () => {
    const redactor = new RecordingRedactor([]);
    const content = { content: [{ type: 'text', text }], deep: JSON.stringify({ said: text }) };
    const kept = redactor.redact(content);
    expect(JSON.stringify(kept)).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(kept).toMatchObject({
      content: [{ text: `${before}{"$redacted":1}${after}` }],
    });
    expect(redactor.kinds[0]).toBe(kind);
    expect(JSON.stringify(redactor.redactKnown(content))).not.toContain(
      JSON.stringify(secret).slice(1, -1),
    );
    expect(JSON.stringify(hideSecrets(content))).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(redactor.redact(kept)).toEqual(kept);
  });
});

test.each([
  'The shop opens at nine, and closes at 18:30.',
  'tokens: 1,240 of 200,000',
  'A basic understanding of bearer instruments',
  'the password: ask your administrator',
  'https://shop.example:8080/a@b?c=d:e@f',
  'risk-averse task-force desk-bound-work-in-the-office',
  'sk-and-other-words-with-hyphens-in-between',
  'npm_config_user_agent and npm_lifecycle_event',
  'npx -y @modelcontextprotocol/server-everything@2026.8.31',
  '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '123e4567-e89b-12d3-a456-426614174000',
  'The cookie jar is on the shelf: take two.',
])('%s holds none', (text) => {
  expect(findSecrets(text)).toEqual([]);
});

test('what is found lies in the text, in order and apart, and hostile texts take no time', () => {
  const piece = fc.constantFrom(
    ...planted.map(([, secret]) => secret),
    ...['Bearer ', 'token=', '://', ':', '@', '-----BEGIN PRIVATE KEY-----', ' ', '"', '\\'],
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      let end = 0;
      for (const { from, to } of findSecrets(text)) {
        expect(from).toBeGreaterThanOrEqual(end);
        expect(to).toBeGreaterThan(from);
        end = to;
      }
      expect(end).toBeLessThanOrEqual(text.length);
    }),
  );
  for (const piece of [
    'eyJaaaaaaaa.',
    'token',
    '://',
    'sk-a',
    '-----BEGIN PRIVATE KEY-----',
    'Bearer ',
    'password=a',
  ]) {
    findSecrets(piece.repeat(100_000 / piece.length));
  }
  // With quadratic work, this would take minutes and the test would time out.
  expect(findSecrets('eyJ'.repeat(200_000))).toEqual([]);
});

test.each([
  ['behind an escaped space', 'Bearer%20', ''],
  ['behind a letter', 'A', ''],
  ['between names', 'x_', '.y'],
])('a token %s is found', (_, before, after) => {
  const token = joined('gh', 'p_', word(36));
  const text = `${before}${token}${after}`;
  expect(findSecrets(text).map(({ from, to }) => text.slice(from, to))).toEqual([token]);
});

test('two keys written together are both found', () => {
  const key = joined('AK', 'IA', word(16, 'ABCD2345'));
  expect(findSecrets(`${key}${key}`)).toHaveLength(2);
});

test('a web token is found behind another beginning of one in the same word', () => {
  const token = joined('ey', 'J', word(20), '.ey', 'J', word(30), '.', word(43));
  for (const before of [joined('ey', 'J'), joined('ey', 'J', word(90)), '%20', 'x-']) {
    const [found, ...others] = findSecrets(`It is ${before}${token} now.`);
    expect(others).toEqual([]);
    expect(found?.to).toBe(6 + before.length + token.length);
  }
});

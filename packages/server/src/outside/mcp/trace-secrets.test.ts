import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TraceSecrets } from './trace-secrets.ts';

const token = 'tok-"4f9a"+77/secret';

function secretsOf(headers: Record<string, string>, url = 'https://mcp.example/mcp') {
  const secrets = new TraceSecrets();
  secrets.addTarget({ address: { kind: 'http', url, headers } });
  return secrets;
}

test('a header that is echoed is hidden, in every form tools write it in', () => {
  const secrets = secretsOf({ Authorization: `Bearer ${token}` });
  const base64 = Buffer.from(token).toString('base64');
  const record = {
    said: `You sent ${token}`,
    encoded: encodeURIComponent(token),
    inJson: JSON.stringify({ token }),
    inBase64: base64,
    nested: [{ [token]: { deep: base64.replace(/=+$/, '') } }],
    count: 3,
    nothing: null,
  };
  const before = structuredClone(record);
  const kept = secrets.redact(record);
  expect(JSON.stringify(kept)).not.toMatch(/4f9a|NGY5|secret/);
  expect(kept).toMatchObject({ said: 'You sent [hidden]', count: 3, nothing: null });
  expect(record, 'what is in use stays as it is').toEqual(before);
});

test('the password of a Basic header is hidden as it is read', () => {
  const basic = Buffer.from('user:pass-word-9').toString('base64');
  const secrets = secretsOf({ Authorization: `Basic ${basic}` });
  expect(secrets.redactText(`${basic} pass-word-9`)).toBe('[hidden] [hidden]');
});

test('secrets of the address and of the environment of a program are hidden', () => {
  const secrets = secretsOf({}, 'https://mcp.example/s/0123456789abcdefghij?key=query-key');
  secrets.addTarget({
    address: { kind: 'stdio', command: '/x', args: [], env: { API_KEY: 'program-key' } },
  });
  expect(secrets.redactText('0123456789abcdefghij query-key program-key')).toBe(
    '[hidden] [hidden] [hidden]',
  );
});

test('a word that is part of a header hides nothing that is said with it, but the pair and whole values are hidden', () => {
  const secrets = secretsOf({
    Cookie: 'tour=completed; id=4f9a77-session',
    Authorization: 'Bearer opensesame',
    'X-Api-Key': 'messages',
  });
  const content = {
    messages: ['completed', 'tour=completed', 'opensesame', 'messages', '4f9a77-session'],
  };
  expect(secrets.redact(content)).toEqual({
    messages: ['completed', ...Array(4).fill('[hidden]')],
  });
});

test('of a record that decides only what it quotes is hidden', () => {
  const secrets = secretsOf({ 'X-Api-Key': 'completed', Authorization: `Bearer ${token}` });
  const record = {
    status: 'completed',
    of: [{ completed: 1, reason: 'completed', said: [token] }],
  };
  expect(secrets.redactQuotes(record, new Set(['said']))).toEqual({
    status: 'completed',
    of: [{ completed: 1, reason: 'completed', said: ['[hidden]'] }],
  });
});

test('what is no secret stays: traces are evidence', () => {
  const secrets = secretsOf({
    Accept: 'application/json',
    'X-Region': 'production',
    'X-Api-Key': 'short',
    'User-Agent': 'agent/1.0 of somebody',
  });
  const record = { text: 'application/json production short agent/1.0' };
  expect(secrets.redact(record)).toBe(record);
});

test('of a text that goes on, no secret is shown, nor where one begins', () => {
  const pieces = fc.constantFrom(
    'tok-4f9a77',
    'tok-4f9a77-longer',
    'tok-',
    'a word',
    ' ',
    '4f9a77',
  );
  const text = fc.array(pieces, { maxLength: 12 }).map((words) => words.join(''));
  fc.assert(
    fc.property(text, (whole) => {
      const secrets = new TraceSecrets();
      secrets.add('tok-4f9a77');
      secrets.add('tok-4f9a77-longer');
      const shown = secrets.redactText(whole);
      for (let length = 0; length <= whole.length; length += 1) {
        expect(shown.startsWith(secrets.redactBeginning(whole.slice(0, length)))).toBe(true);
      }
    }),
  );
});

test('a text without anything to hide is shown as far as it goes', () => {
  expect(new TraceSecrets().redactBeginning('as it is')).toBe('as it is');
});

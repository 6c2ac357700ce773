import { ApiError, ConnectionError } from '@proofmark/client';
import { expect, test } from 'vitest';
import { meaningOf } from './refusal-meaning.ts';
import { openedAddress, readShareAddress } from './share-address.ts';
import { shownJson } from './shown-json.ts';
import { piecesOf } from './text-links.ts';
import { untilWords } from './until-words.ts';

const token = 'AbC-_'.repeat(8).concat('xyz');

test.each([
  [`/user-testing/shop/${token}`, '', '', { opens: { token }, isPreview: false }],
  [`/user-testing/shop/${token}`, '', '#invite=one', { opens: { token }, invite: 'one' }],
  [
    '/user-testing/shop/scn_01abc',
    '?preview',
    '',
    { opens: { scenarioId: 'scn_01abc' }, isPreview: true },
  ],
  ['/user-testing/shop', '', '', { opens: undefined }],
])('%s%s%s says what it opens', (pathname, search, hash, expected) => {
  expect(readShareAddress({ pathname, search, hash })).toMatchObject({ slug: 'shop', ...expected });
});

test('the address of an opened link holds no token', () => {
  const address = readShareAddress({
    pathname: `/user-testing/shop/${token}`,
    search: '',
    hash: '',
  });
  expect(openedAddress(address, 'scn_1')).toBe('/user-testing/shop/scn_1');
});

test('addresses become links with their true host, and end with the sentence', () => {
  const text =
    'See https://a.example/b?c=1. Or http://good.example@evil.example/x, <b>not</b> this.';
  expect(piecesOf(text)).toEqual([
    { kind: 'text', text: 'See ' },
    {
      kind: 'link',
      text: 'https://a.example/b?c=1',
      href: 'https://a.example/b?c=1',
      host: 'a.example',
    },
    { kind: 'text', text: '. Or ' },
    {
      kind: 'link',
      text: 'http://good.example@evil.example/x',
      href: 'http://good.example@evil.example/x',
      host: 'evil.example',
    },
    { kind: 'text', text: ', <b>not</b> this.' },
  ]);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'http://',
  'https:',
  'JAVASCRIPT:https:x',
  'file:///etc',
])('%s is no link', (text) => {
  expect(piecesOf(text)).toEqual([{ kind: 'text', text }]);
});

test('text is whole again when its pieces are put together', () => {
  const sample = 'a https://x.example b\nhttps://y.example/(z) https://[ c';
  expect(
    piecesOf(sample)
      .map(({ text }) => text)
      .join(''),
  ).toBe(sample);
});

test('arguments are shown with what one would not see spelled out', () => {
  const shown = shownJson({ path: 'a\u202etxt.exe\u200b' });
  expect(shown).toBe('{\n  "path": "a\\u202etxt.exe\\u200b"\n}');
  expect(JSON.parse(shown)).toEqual({ path: 'a\u202etxt.exe\u200b' });
});

const refused = (status: number, details: Record<string, unknown> = {}, retryAfter?: number) =>
  new ApiError(status, { code: 'CONFLICT', message: 'No.', details }, retryAfter);

test.each([
  [refused(404), 'This link does not work'],
  [refused(403, { reason: 'SCENARIO_ACCESS_DENIED' }), 'This link is not open to everybody'],
  [refused(403, { reason: 'FEATURE_UNAVAILABLE' }), 'Closed for now'],
  [refused(409, { code: 'ENV_ARCHIVED' }), 'Closed for now'],
])('a link that does not open says so: %#', (error, title) => {
  expect(meaningOf(error, 0, true)).toMatchObject({ kind: 'closed', closed: { title } });
});

test('in a conversation a refusal closes, renews, asks, ends or passes', () => {
  const kindOf = (error: unknown) => meaningOf(error, 0).kind;
  expect(kindOf(refused(403, { reason: 'SCENARIO_ACCESS_DENIED' }))).toBe('closed');
  expect(kindOf(refused(409, { reason: 'SCENARIO_ACCESS_STALE' }))).toBe('stale');
  expect(kindOf(refused(409, { reason: 'CONSENT_REQUIRED' }))).toBe('consent');
  expect(kindOf(refused(409, { reason: 'SESSION_ENDED' }))).toBe('ended');
  expect(kindOf(refused(409, { reason: 'SESSION_ENDED', endedBy: 'idle' }))).toBe('silent');
  expect(kindOf(refused(409, { reason: 'TURN_RUNNING' }))).toBe('running');
  expect(kindOf(refused(409, { reason: 'SESSION_FULL' }))).toBe('limit');
  expect(kindOf(refused(500))).toBe('problem');
  expect(kindOf(new ConnectionError('http://a.example', new Error('gone')))).toBe('problem');
});

test('a limit says which one it is and when it ends', () => {
  expect(meaningOf(refused(429, { limit: 'dailyCreditCap', resetsAt: 5 }, 9), 1000)).toEqual({
    kind: 'limit',
    limit: { text: 'The credits of this assistant for today are used up.', endsAt: 5 },
  });
  expect(meaningOf(refused(429, { limit: 'visitorTurnsPerMinute' }, 9), 1000)).toMatchObject({
    limit: { endsAt: 10_000 },
  });
});

test('nothing the page says of a refusal names what visitors do not know', () => {
  const meanings = [
    'SCENARIO_ACCESS_DENIED',
    'FEATURE_UNAVAILABLE',
    'GUEST_EXECUTION_DISABLED',
    'SESSION_FULL',
  ]
    .flatMap((reason) =>
      [true, false].map((opening) => meaningOf(refused(403, { reason }), 0, opening)),
    )
    .concat(meaningOf(refused(404), 0), meaningOf(refused(429), 0));
  expect(JSON.stringify(meanings)).not.toMatch(/scenario|environment|guest/i);
});

test('when it ends is told by the day where that is another one', () => {
  const noon = new Date(2026, 0, 5, 12).getTime();
  expect(untilWords(noon + 20_000, noon, 'at', 'en-GB')).toBe('in 20 seconds');
  expect(untilWords(noon + 3_600_000, noon, 'at', 'en-GB')).toBe('at 13:00');
  expect(untilWords(noon + 86_400_000, noon, 'at', 'en-GB')).toContain('6 January');
  expect(untilWords(noon + 300_000, noon, 'until', 'en-GB')).toBe('until 12:05');
});

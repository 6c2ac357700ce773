/**
 * Tests untrusted text at the terminal: it sends no control codes, fits 80 columns, and is ASCII if
 * the terminal supports only ASCII.
 */
import { expect, test } from 'vitest';
import { contentLines, textLines } from './content-lines.ts';
import {
  checkLines,
  type DoctorFinding,
  doctorVerdict,
  excludedToolLines,
  revisionLines,
} from './doctor-lines.ts';
import { onlyServer } from './find-server.ts';
import { listingLines, signatureOf } from './listing-lines.ts';
import { type ServerFields, serverFields } from './server-fields.ts';

const wide = { ascii: false, width: 80 };
const ascii = { ascii: true, width: 80 };
// A color, a window title, a bell, a one-byte escape code, reversed text and a line separator.
const hostile =
  'a\u001b[31mred\u001b]0;title\u0007\u009b2J \u202eturned\u2066\u200f\u061c\ufeff\u2028b\r\u0000é';
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const sentence = `${hostile} ${'word '.repeat(60)}`;

const rendered = {
  text: (ability: typeof wide) => contentLines([{ type: 'text', text: hostile }], ability),
  'kind of bytes': (ability: typeof wide) =>
    contentLines([{ type: 'image', data: 'AAAA', mimeType: hostile }], ability),
  'kind of content': (ability: typeof wide) => contentLines([{ type: hostile }], ability),
  'linked address': (ability: typeof wide) =>
    contentLines([{ type: 'resource_link', uri: hostile }], ability),
  'embedded resource': (ability: typeof wide) =>
    contentLines([{ type: 'resource', resource: { text: hostile } }], ability),
  'offered tool': (ability: typeof wide) =>
    listingLines(
      [{ name: signatureOf(hostile, { properties: { [hostile]: {} } }), description: sentence }],
      'none',
      ability,
    ),
  'check of the doctor': (ability: typeof wide) =>
    checkLines('tools', { status: 'error', detail: sentence, advice: sentence }, ability),
  'revision of the doctor': (ability: typeof wide) =>
    revisionLines(ability, [
      {
        revision: '2026-07-28',
        era: 'modern',
        state: 'broken',
        detail: sentence,
        problems: [{ rule: 'completion', method: 'completion/complete', message: sentence }],
      },
    ]),
  'excluded tool': (ability: typeof wide) =>
    excludedToolLines(ability, [
      { toolName: hostile, reason: 'notToken', path: `/${hostile}`, message: sentence },
    ]),
};

test.each(Object.entries(rendered))('a %s steers no terminal', (_name, linesIn) => {
  for (const line of linesIn(wide)) {
    expect(line).not.toMatch(steering);
    expect(line.length).toBeLessThanOrEqual(80);
  }
  expect(linesIn(wide).join()).toContain('é');
  for (const line of linesIn(ascii)) expect(line).toMatch(/^[\x20-\x7e]*$/);
});

test('text keeps its own lines, and a tab is two spaces', () => {
  expect(textLines('a\r\n\n\tb\n', wide)).toEqual(['a', '', '  b', '']);
});

test('what is no text is told', () => {
  const content = [
    { type: 'audio', data: 'AAAA' },
    { uri: 'file:///a', blob: 'AA==', mimeType: 'image/png' },
    { type: 'resource_link', uri: 'file:///b' },
    null,
  ];
  expect(contentLines(content, wide)).toEqual([
    '(audio, 3 bytes; --json prints it)',
    '(image/png, 1 bytes; --json prints it)',
    '(resource_link: file:///b)',
    '(content of no known kind)',
  ]);
});

test('what is offered, with what a call needs', () => {
  const schema = { properties: { a: {}, note: {} }, required: ['a'] };
  expect(
    listingLines(
      [{ name: signatureOf('add', schema), description: ' ' }, { name: signatureOf('ping', null) }],
      'none',
      wide,
    ),
  ).toEqual(['add(a, note?)', 'ping()']);
  expect(listingLines([], 'There is none.', wide)).toEqual(['There is none.']);
});

test('checks stand in columns, and what to do below them', () => {
  const finding: DoctorFinding = { status: 'ok', detail: 'It answers.', durationMs: 12.4 };
  const failed: DoctorFinding = {
    status: 'error',
    detail: `The server ${'says much '.repeat(9)}`,
    advice: 'Start it.',
  };
  expect([
    ...checkLines('probe', finding, wide),
    ...checkLines('capabilities', failed, wide),
    ...checkLines('probe', finding, ascii),
    ...checkLines('tools', { status: 'skipped', detail: 'Not asked.' }, ascii),
  ]).toEqual([
    '✓ probe        It answers. (12 ms)',
    '✗ capabilities The server says much says much says much says much says much says',
    '               much says much says much says much',
    '  Do: Start it.',
    'ok     probe        It answers. (12 ms)',
    '-      tools        Not asked.',
  ]);
});

test('the verdict of the doctor names what to do', () => {
  const report = { tools: [{}], error: { message: 'It is gone.' } } as never;
  const verdict = (status: string) => doctorVerdict({ ...(report as object), status } as never);
  expect(['ready', 'oauth_required', 'partial', 'error'].map(verdict)).toEqual([
    'Ready: it offers 1 tool.',
    'It requires an OAuth grant: proofmark oauth login SERVER, or proofmark oauth import SERVER FILE.',
    'Partly ready. It is gone.',
    'Not ready. It is gone.',
  ]);
});

test('fields of a server take secrets from the environment alone', () => {
  const environment = { TOKEN: 'Bearer s3cret', EMPTY: '' };
  const read = (flags: ServerFields) => serverFields(flags, environment);
  expect(read({})).toEqual({});
  expect(
    read({
      at: 'https://a.example',
      header: ['Authorization=TOKEN'],
      timeout: 5,
      oauth: false,
      scope: ['read'],
      clientId: 'me',
      clientSecret: 'TOKEN',
    }),
  ).toEqual({
    url: 'https://a.example',
    headers: { Authorization: 'Bearer s3cret' },
    timeout: 5,
    useOAuth: false,
    oauthScopes: ['read'],
    clientId: 'me',
    clientSecret: 'Bearer s3cret',
  });
  // A user typed a secret in place of a variable's name. The error must not quote it.
  expect(() => read({ header: ['Authorization=Bearer s3cret'] })).toThrow(/^(?!.*s3cret)--header/);
  expect(() => read({ header: ['A=EMPTY'] })).toThrow('EMPTY is not set');
  expect(() => read({ clientSecret: 'MISSING' })).toThrow('MISSING is not set');
});

test('the only server needs no name', () => {
  const [a, b] = [
    { id: 'srv_1', name: 'A' },
    { id: 'srv_2', name: 'B' },
  ];
  expect(onlyServer([a as never])).toBe(a);
  expect(() => onlyServer([])).toThrow('proofmark server add');
  expect(() => onlyServer([a, b] as never)).toThrow('Name the server: A, B.');
  expect(() => onlyServer(Array(11).fill(a))).toThrow(/A, …\.$/);
});

test('each revision has one line, and a line for each of its problems', () => {
  const spoken = { era: 'legacy', state: 'spoken', detail: 'It answers.' } as const;
  const problem = { rule: 'cache-scope', method: 'tools/list', message: 'It is absent.' } as const;
  const lines = revisionLines(wide, [
    { ...spoken, revision: '2026-07-28', era: 'modern', state: 'broken', problems: [problem] },
    { ...spoken, revision: '2025-11-25', problems: [] },
    {
      ...spoken,
      revision: '2024-11-05',
      state: 'refused',
      detail: 'It refuses.',
      problems: [],
    },
  ]);
  expect(lines).toEqual([
    'Revisions of MCP:',
    '✗ 2026-07-28  broken   It answers.',
    '    tools/list: It is absent. (cache-scope)',
    '✓ 2025-11-25  spoken   It answers.',
    '○ 2024-11-05  refused  It refuses.',
  ]);
  expect(revisionLines(wide, undefined)).toEqual([]);
  expect(excludedToolLines(wide, [])).toEqual([]);
});

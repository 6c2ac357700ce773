import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostWidgetBytes, readWidgetResource } from './read-widget-resource.ts';
import { unrendered } from './unrendered.ts';
import { widgetOfTool } from './widget-of-tool.ts';
import { contentPolicy, declaredOrigins, mayRequest } from './widget-origins.ts';

const uri = 'ui://shop/order';
const app = 'text/html;profile=mcp-app';

test.each([
  ['as it is said today', { ui: { resourceUri: uri } }, uri],
  ['written flat', { 'ui/resourceUri': uri }, uri],
  ['in the older way', { 'openai/outputTemplate': uri }, uri],
  [
    'today before the older way',
    { 'openai/outputTemplate': 'ui://old', ui: { resourceUri: uri } },
    uri,
  ],
  ['an address of the web', { ui: { resourceUri: 'https://example.com' } }, undefined],
  ['no text', { ui: { resourceUri: 7 } }, undefined],
  ['nothing', undefined, undefined],
])('the widget of a tool: %s', (_, _meta, expected) => {
  expect(widgetOfTool({ name: 'order', ...(_meta && { _meta }) })).toBe(expected);
});

describe('the resource of a widget', () => {
  test.each([
    [app, 'mcpApps'],
    ['text/html; profile="mcp-app"', 'mcpApps'],
    ['TEXT/HTML;charset=utf-8;profile=mcp-app', 'mcpApps'],
    ['text/html+skybridge', 'openai'],
  ])('%s is read', (mimeType, dialect) => {
    const answer = { contents: [{ uri, mimeType, text: '<p>Hi</p>' }] };
    expect(readWidgetResource(uri, answer)).toEqual({
      html: '<p>Hi</p>',
      dialect,
      origins: { connect: [], resource: [] },
    });
  });

  test('a blob is read as UTF-8', () => {
    const blob = Buffer.from('<p>Größe</p>').toString('base64');
    expect(readWidgetResource(uri, { contents: [{ uri, mimeType: app, blob }] })).toMatchObject({
      html: '<p>Größe</p>',
    });
  });

  test('the content of the asked address counts, also behind others', () => {
    const other = { uri: 'ui://other', mimeType: app, text: 'no' };
    const contents = [other, { uri, mimeType: app, text: 'yes' }];
    expect(readWidgetResource(uri, { contents })).toMatchObject({ html: 'yes' });
  });

  test.each([
    ['no answer', undefined, 'no content'],
    ['no content', { contents: [] }, 'no content'],
    ['another type', { contents: [{ uri, mimeType: 'text/html', text: 'x' }] }, '"text/html"'],
    ['no type', { contents: [{ uri, text: 'x' }] }, '"nothing"'],
    ['neither text nor blob', { contents: [{ uri, mimeType: app }] }, 'neither'],
    ['a blob that is none', { contents: [{ uri, mimeType: app, blob: '%' }] }, 'neither'],
    ['nothing in it', { contents: [{ uri, mimeType: app, text: ' ' }] }, 'empty'],
    [
      'too much',
      { contents: [{ uri, mimeType: app, text: 'x'.repeat(mostWidgetBytes + 1) }] },
      'larger',
    ],
  ])('%s is told in a sentence', (_, answer, words) => {
    expect(readWidgetResource(uri, answer)).toEqual({ problem: expect.stringContaining(words) });
  });
});

describe('origins', () => {
  test('what cannot be held exactly is dropped', () => {
    const kept = ['https://api.example.com', 'https://*.example.com', 'http://127.0.0.1:8080'];
    const dropped = [
      ...['*', 'https://*', 'https:', 'https://*.com', 'ftp://example.com', 'data:', "'self'"],
      ...['https://a.example/path', 'https://me@a.example', 'https://a.example:99999', 7, null],
      ...['https://a.example; script-src *', 'https://a.example *', 'https://*.1.2.3.4'],
    ];
    const csp = { connectDomains: [...kept, ...dropped, 'wss://a.example'], resourceDomains: 'no' };
    expect(declaredOrigins({ ui: { csp } })).toEqual({
      connect: [...kept, 'wss://a.example'],
      resource: [],
    });
  });

  test('the older declaration is read where there is no other', () => {
    const older = {
      connect_domains: ['https://a.example/'],
      resource_domains: ['https://b.example'],
    };
    const expected = { connect: ['https://a.example'], resource: ['https://b.example'] };
    expect(declaredOrigins({ 'openai/widgetCSP': older })).toEqual(expected);
    expect(declaredOrigins({ 'openai/widgetCSP': older, ui: { csp: {} } })).toEqual({
      connect: [],
      resource: [],
    });
  });

  test.each([
    ['https://api.example.com/a?b', 'connect', true],
    ['https://api.example.com/a', 'resource', false],
    ['https://api.example.com/a', 'other', false],
    ['http://api.example.com/', 'connect', false],
    ['https://api.example.com:8443/', 'connect', false],
    ['https://api.example.com.evil.example/', 'connect', false],
    ['https://me:secret@api.example.com/', 'connect', false],
    ['https://a.b.cdn.example/x.js', 'resource', true],
    ['https://cdn.example/x.js', 'resource', false],
    ['https://evilcdn.example/x.js', 'resource', false],
    ['not a url', 'connect', false],
  ] as const)('%s for %s: %s', (url, kind, may) => {
    const origins = { connect: ['https://api.example.com'], resource: ['https://*.cdn.example'] };
    expect(mayRequest(url, kind, origins)).toBe(may);
  });

  const host = fc.constantFrom('a.example', 'b.example', 'x.a.example', '127.0.0.1', 'localhost');
  const scheme = fc.constantFrom('https', 'http', 'wss', 'ws', 'ftp', 'data', '*');
  const port = fc.constantFrom('', ':443', ':80', ':8080');
  const written = fc.oneof(
    fc
      .tuple(scheme, fc.constantFrom('', '*.'), host, port, fc.constantFrom('', '/', '/p'))
      .map(([one, wild, name, where, path]) => `${one}://${wild}${name}${where}${path}`),
    fc.constantFrom('*', 'https:', 'https://*', '*.example', "'unsafe-inline' *"),
    fc.string(),
  );
  const lists = fc.record({
    connectDomains: fc.array(written),
    resourceDomains: fc.array(written),
  });

  test('nothing is ever allowed that is not declared', () => {
    fc.assert(
      fc.property(lists, scheme, host, port, (csp, one, name, where) => {
        const url = `${one}://${name}${where}/x`;
        const origins = declaredOrigins({ ui: { csp } });
        for (const [kind, list] of [
          ['connect', csp.connectDomains],
          ['resource', csp.resourceDomains],
        ] as const) {
          if (!mayRequest(url, kind, origins)) continue;
          const origin = new URL(url).origin;
          const isDeclared = list.some((entry) => {
            if (!URL.canParse(entry.replace('*.', ''))) return false;
            const plain = new URL(entry.replace('*.', ''));
            if (!entry.includes('*')) return plain.origin === origin;
            const [asked, under] = [new URL(url), `.${plain.hostname}`];
            return (
              asked.protocol === plain.protocol &&
              asked.port === plain.port &&
              asked.hostname.endsWith(under)
            );
          });
          expect(isDeclared, `${url} by ${JSON.stringify(list)}`).toBe(true);
        }
      }),
      runsOf(2000),
    );
  });

  test('the content policy names no source that is not declared, and no directive is added', () => {
    const own = new Set(["'none'", "'unsafe-inline'", "'unsafe-eval'", 'blob:', 'data:']);
    fc.assert(
      fc.property(lists, (csp) => {
        const origins = declaredOrigins({ ui: { csp } });
        const policy = contentPolicy(origins);
        expect(policy.split('; ')).toHaveLength(12);
        for (const row of policy.split('; ')) {
          const [name, ...sources] = row.split(' ');
          const list = name === 'connect-src' ? origins.connect : origins.resource;
          for (const source of sources) expect(own.has(source) || list.includes(source)).toBe(true);
        }
        expect(policy).toMatch(/^default-src 'none'; /);
      }),
    );
  });
});

test('that a widget was not rendered is told once, by what was seen or by its status', () => {
  const place = { toolName: 'form', status: 'blank_screenshot' } as const;
  expect(unrendered(place)).toBe('The widget of "form" was not rendered: it shows nothing.');
  const message = 'The widget shows nothing; its first error: oh.';
  expect(unrendered({ ...place, message })).toBe(
    `The widget of "form" was not rendered. ${message}`,
  );
  expect(unrendered({ ...place, status: 'rendered' })).toBeUndefined();
  const broken = {
    ...place,
    status: 'render_error',
    elapsedMs: 120,
    message: 'It froze.',
  } as const;
  expect(unrendered(broken)).toBe('The widget of "form" broke after it was shown. It froze.');
  expect(unrendered({ ...broken, elapsedMs: undefined })).toBe(
    'The widget of "form" was not rendered. It froze.',
  );
});

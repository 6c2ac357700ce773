import { allOperations, basePaths } from '@proofmark/contract';
import {
  call,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from '../../packages/server/src/platform/http/pages.ts';

const html = '<!doctype html><title>Console</title>';
let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  const pages = new Map<string, Page>([
    ['/index.html', page('text/html; charset=utf-8', html, false)],
    ['/assets/app-1.js', page('text/javascript; charset=utf-8', 'export {}', true)],
  ]);
  service = await startTestService({ pages });
  tenant = await createTenant(service, 'headers');
});
afterAll(() => service.stop());

function page(type: string, text: string, immutable: boolean): Page {
  return {
    type,
    body: Buffer.from(text),
    gzipped: () => undefined,
    etag: `"${text.length}"`,
    immutable,
  };
}

function lacking({ headers }: TestAnswer, cache = 'no-store'): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const wanted: [string, boolean][] = [
    ['default-src none', policy.includes("default-src 'none'")],
    ['frame-ancestors none', policy.includes("frame-ancestors 'none'")],
    ['nothing unsafe', !/unsafe-inline|unsafe-eval|https?:|\*/.test(policy)],
    ['nosniff', headers.get('x-content-type-options') === 'nosniff'],
    ['no-referrer', headers.get('referrer-policy') === 'no-referrer'],
    ['opener policy', headers.get('cross-origin-opener-policy') === 'same-origin'],
    ['resource policy', headers.get('cross-origin-resource-policy') === 'same-origin'],
    ['cache-control', headers.get('cache-control')?.includes(cache) ?? false],
    ['request id', /^req_[0-9a-z-]{16,40}$/.test(headers.get('x-request-id') ?? '')],
    ['no sharing with other origins', !headers.has('access-control-allow-origin')],
    ['no product name', !headers.has('x-powered-by') && !headers.has('server')],
  ];
  return wanted.filter(([, held]) => !held).map(([name]) => name);
}

test('answers of every operation, good and refused, lack none, and none is HTML whatever is asked for', async () => {
  const kinds = [{ key: tenant.key }, {}, { key: 'sk_wrong' }];
  let seen = 0;
  for (const row of allOperations) {
    const path = row.path.replace(
      /\{(\w+)\}/g,
      (_, name: string) => (tenant as never)[name] ?? 'none',
    );
    // A real deletion would remove data that the next operations read, so the request is sent as
    // POST.
    const method = row.method === 'DELETE' ? 'POST' : row.method;
    for (const kind of kinds) {
      const answer = await call(service.baseUrl + basePaths[row.surface] + path, {
        ...kind,
        method,
        headers: { accept: 'text/html,application/xhtml+xml', origin: 'http://evil.example' },
        ...(method !== 'GET' && { body: {} }),
      });
      expect(lacking(answer), `${row.operationId} ${answer.status}`).toEqual([]);
      expect(answer.headers.get('content-type')).toBe('application/json');
      seen += 1;
    }
  }
  expect(seen).toBe(allOperations.length * 3);
});

test.each([
  ['/healthz', {}],
  ['/readyz', {}],
  ['/metrics', {}],
  ['/metrics', { 'x-forwarded-for': '203.0.113.9' }],
  ['/api/v1/openapi.json', {}],
  ['/api/v1/schemas/verdict-policy.v2.json', {}],
  ['/api/v1/schemas/nothing.json', { accept: 'text/html' }],
  ['/api/v1/nothing', { accept: 'text/html' }],
  ['/console/v1/nothing', { accept: 'text/html' }],
  ['/api/v1/projects?cursor=x', {}],
  ['/api/nothing', { accept: 'text/html' }],
  ['/api', { accept: 'text/html' }],
  ['/assets/nothing.js', { accept: 'text/html' }],
  ['/openapi.json', { accept: 'text/html' }],
  ['/favicon.ico', { accept: 'text/html' }],
])('%s %j lacks none and is not HTML', async (path, headers) => {
  const answer = await call(service.baseUrl + path, { headers });
  expect(lacking(answer)).toEqual([]);
  expect(answer.headers.get('content-type')).not.toContain('html');
});

test.each([
  ['/', 'no-cache'],
  ['/index.html', 'no-cache'],
  ['/projects/some/page', 'no-cache'],
  ['/sign-in?error=%3Cscript%3E', 'no-cache'],
  ['/reference', 'no-cache'],
  ['/assets/app-1.js', 'immutable'],
])('the page %s lacks none', async (path, cache) => {
  const answer = await call(service.baseUrl + path);
  expect(answer.status).toBe(200);
  expect(lacking(answer, cache)).toEqual([]);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(answer.text).not.toContain('<script>');
  const known = { 'if-none-match': answer.headers.get('etag') ?? '' };
  const again = await call(service.baseUrl + path, { headers: known });
  expect(again.status).toBe(304);
  expect(lacking(again, cache)).toEqual([]);
});

test('an own failure lacks none', async () => {
  const fail = () => {
    throw new Error('gone');
  };
  const broken = await service.another({
    database: { ...service.database, callers: fail as never },
  });
  try {
    const answer = await call(`${broken.baseUrl}/api/v1/me`, { key: tenant.key });
    expect(answer.status).toBe(500);
    expect(lacking(answer)).toEqual([]);
  } finally {
    await broken.stop();
  }
});

test('behind an https address browsers are told to stay there', async () => {
  const secured = await service.another({ publicUrl: 'https://proofmark.example' });
  try {
    const answer = await call(`${secured.baseUrl}/api/v1/me`);
    expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/);
  } finally {
    await secured.stop();
  }
});

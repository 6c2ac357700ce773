/**
 * Loading the page behind a share link grants no access. The page must not be cached, framed or
 * indexed.
 */
import { call, type TestService } from '@proofmark/harness/test-service.ts';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from './pages.ts';

const token = 'k'.repeat(43);
let fixture: VisitFixture;
let service: TestService;

beforeAll(async () => {
  const page = (text: string): Page => ({
    type: 'text/html; charset=utf-8',
    body: Buffer.from(text),
    gzipped: () => undefined,
    etag: `"${text}"`,
    immutable: false,
  });
  const pages = new Map([
    ['/index.html', page('console')],
    ['/visit.html', page('visit')],
  ]);
  fixture = await startVisitFixture({ pages });
  service = fixture.service;
});
afterAll(() => fixture.stop());

test.each([`/user-testing/shop/${token}`, '/user-testing/a.b/c.png', '/user-testing'])(
  '%s is the page of visits, with no cookie and nothing for a cache',
  async (path) => {
    const answer = await call(`${service.baseUrl}${path}`);
    expect(answer).toMatchObject({ status: 200, text: 'visit' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  },
);

test.each([
  ['GET', '/user-testing/shop/x', 200],
  ['POST', `/user-testing/shop/${token}`, 404],
  ['GET', '/visit/v1/nothing', 404],
  ['GET', `/visit/v1/${token}`, 404],
])('%s %s is not to be indexed and sends no referrer', async (method, path, status) => {
  const answer = await call(`${service.baseUrl}${path}`, { method });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('other paths are pages of the console', async () => {
  expect((await call(`${service.baseUrl}/user-testings`)).text).toBe('console');
});

test('whoever fetched the page of a live link is nobody here, and was granted nothing', async () => {
  const live = await fixture.scenario();
  for (const agent of ['curl/8.5.0', 'Slackbot-LinkExpanding 1.0']) {
    const headers = { 'user-agent': agent };
    expect(
      (await call(`${service.baseUrl}/user-testing/shop/${live.token}`, { headers })).text,
    ).toBe('visit');
  }
  expect(await fixture.count('visitors')).toBe(0);
  expect(await fixture.count('scenario_grants')).toBe(0);
});

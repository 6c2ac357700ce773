import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../journeys/send-raw.ts';

/** So slow that no token is refilled during a test. */
const rateLimit = { perMinute: 1, burst: 10 };
let service: TestService;
let tenant: Tenant;
let urls: string[];
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'limited');
  const apis = [await service.another({ rateLimit }), await service.another({ rateLimit })];
  urls = apis.map(({ baseUrl }) => baseUrl);
  stops.push(...apis.map(({ stop }) => stop));
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await service.stop();
});

async function freshKey(): Promise<string> {
  const made = await service.operator.createKey(
    'owner@limited.example',
    tenant.organizationId,
    'fresh',
  );
  return made.key;
}

function raw(key: string, request: string, headers = '', name = 'Authorization: Bearer'): string {
  return `${request} HTTP/1.1\r\nHost: localhost\r\n${name} ${key}\r\n${headers}\r\n`;
}

test.each([200, 57, 11])(
  'of %i requests at once over both processes exactly ten pass',
  async (count) => {
    const key = await freshKey();
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) => call(`${urls[at % 2]}/api/v1/me`, { key })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(count - 10);
    for (const { status, headers } of answers) {
      if (status !== 429) continue;
      const wait = Number(headers.get('retry-after'));
      expect(Number.isInteger(wait) && wait >= 1 && wait <= 60).toBe(true);
    }
  },
);

describe('once it is empty, no variant passes', () => {
  const variants: [string, (key: string) => string][] = [
    ['a header name in capitals', (key) => raw(key, 'GET /api/v1/me', '', 'AUTHORIZATION: Bearer')],
    ['a scheme in lower case', (key) => raw(key, 'GET /api/v1/me', '', 'authorization: bearer')],
    ['a scheme in mixed case', (key) => raw(key, 'GET /api/v1/me', '', 'Authorization: bEaReR')],
    ['more spaces', (key) => raw(key, 'GET /api/v1/me', '', 'Authorization:    Bearer   ')],
    ['X-Forwarded-For', (key) => raw(key, 'GET /api/v1/me', 'X-Forwarded-For: 198.51.100.7\r\n')],
    ['Forwarded', (key) => raw(key, 'GET /api/v1/me', 'Forwarded: for=198.51.100.7\r\n')],
    ['X-Real-IP', (key) => raw(key, 'GET /api/v1/me', 'X-Real-IP: 198.51.100.7\r\n')],
    ['HEAD', (key) => raw(key, 'HEAD /api/v1/me')],
    ['another operation', (key) => raw(key, 'GET /api/v1/organizations')],
    ['a query', (key) => raw(key, 'GET /api/v1/projects?limit=1')],
    ['an encoded path', (key) => raw(key, 'GET /api/v1/%6De')],
    ['an absolute target', (key) => raw(key, 'GET http://localhost/api/v1/me')],
    ['a cookie beside', (key) => raw(key, 'GET /api/v1/me', 'Cookie: proofmark_session=x\r\n')],
    [
      'another method by header',
      (key) => raw(key, 'GET /api/v1/me', 'X-HTTP-Method-Override: HEAD\r\n'),
    ],
    ['HTTP/1.0', (key) => raw(key, 'GET /api/v1/me').replace('HTTP/1.1', 'HTTP/1.0')],
    ['ten in one packet', (key) => raw(key, 'GET /api/v1/me').repeat(10)],
  ];
  let key: string;
  beforeAll(async () => {
    key = await freshKey();
    for (let at = 0; at < 10; at += 1) {
      expect((await call(`${urls[at % 2]}/api/v1/me`, { key })).status).toBe(200);
    }
  });

  test.each(variants)('%s', async (_, bytesOf) => {
    const bytes = bytesOf(key);
    const until = bytes.match(/ HTTP\/1\.\d\r\n/g)?.length ?? 0;
    const { text } = await sendRaw(urls[0] as string, bytes, { waitMs: 10_000, until });
    expect(text).toMatch(/^HTTP\/1\.\d (429|404) /);
    expect(text).not.toMatch(/HTTP\/1\.\d 2/);
  });
});

test('pipelined requests that together exceed the bucket are let through ten times', async () => {
  const key = await freshKey();
  const { text } = await sendRaw(urls[1] as string, raw(key, 'GET /api/v1/me').repeat(25), {
    waitMs: 1500,
  });
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(10);
  expect(text.match(/HTTP\/1\.1 429 /g)).toHaveLength(15);
});

test('refused requests and bad keys take nothing from a good key', async () => {
  const key = await freshKey();
  await Promise.all(
    Array.from({ length: 60 }, () => call(`${urls[0]}/api/v1/me`, { key: `${key.slice(0, -1)}!` })),
  );
  expect((await call(`${urls[0]}/api/v1/me`, { key })).status).toBe(200);
});

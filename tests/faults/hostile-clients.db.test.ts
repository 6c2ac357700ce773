import { connect } from 'node:net';
import { ErrorBody } from '@proofmark/contract';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restBounds } from '../../packages/server/src/platform/http/end-after-rest.ts';
import { sendRaw } from '../journeys/send-raw.ts';

/** Created once: compiling a new schema costs fifty times the CPU of a validation with it. */
const StrictErrorBody = ErrorBody.strict();

let service: TestService;
let tenant: Tenant;

beforeAll(async () => {
  service = await startTestService();
  tenant = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

function bodyOf(text: string): unknown {
  return JSON.parse(
    text.slice(text.indexOf('\r\n\r\n') + 4).replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, ''),
  );
}

describe('framing that is wrong gets one 400 and the connection is closed', () => {
  const head =
    'POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  const smuggled = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  test.each([
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    [
      'a length and chunks',
      `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}${smuggled}`],
    ['a length with a sign', `${head}Content-Length: +2\r\n\r\n{}${smuggled}`],
    ['chunked twice', `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
    [
      'a chunk size that is no number',
      `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n${smuggled}`,
    ],
    ['a folded header', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Folded: a\r\n b\r\n\r\n`],
    [
      'a header name with a space',
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX Space: a\r\n\r\n`,
    ],
    ['lines that end in LF alone', 'GET /healthz HTTP/1.1\nHost: localhost\n\n'],
    [
      'a header of 20 KB',
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
    ],
    ['no Host', 'GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n'],
    ['a second host', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nhOST: evil.example\r\n\r\n'],
    ['a version that does not exist', 'GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const answer = await sendRaw(service.baseUrl, bytes);
    expect(answer.text).toMatch(/^HTTP\/1\.1 400 /);
    for (const header of [
      'content-type: application/json',
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      "content-security-policy: default-src 'none'",
    ]) {
      expect(answer.text.toLowerCase()).toContain(header);
    }
    expect(StrictErrorBody.safeParse(bodyOf(answer.text)).success, answer.text).toBe(true);
    expect(answer.answers).toBe(1);
    expect(answer.closed).toBe(true);
  });
});

describe('bodies', () => {
  const head = () =>
    `POST /api/v1/projects HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tenant.key}\r\nContent-Type: application/json\r\n`;

  test('a chunked body without end is refused at the limit, and the client cannot go on sending', async () => {
    const { text, sentBytes } = await pour(
      service.baseUrl,
      `${head()}Transfer-Encoding: chunked\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"limitBytes":1000000');
    // The service reads and discards up to this many bytes, so that a client that writes its whole
    // body before it reads still gets the answer.
    expect(sentBytes).toBeLessThan(restBounds.bytes * 1.2);
  });

  test('a body shorter than its length says writes nothing', async () => {
    const before = await countProjects();
    const part = '{"name":"cut off"';
    const { text } = await sendRaw(
      service.baseUrl,
      `${head()}Content-Length: ${part.length + 1}\r\n\r\n${part}`,
      { waitMs: 300 },
    );
    expect(text).toBe('');
    expect(await countProjects()).toBe(before);
  });

  test('a body longer than its length says is not taken for the next request', async () => {
    const before = await countProjects();
    const hidden = `{}${head()}Content-Length: 20\r\n\r\n{"name":"smuggled 1"}`;
    const answer = await sendRaw(service.baseUrl, `${head()}Content-Length: 1\r\n\r\n${hidden}`);
    expect(answer.text).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.answers).toBe(1);
    expect(await countProjects()).toBe(before);
  });

  test('a client that goes away in the middle, at any byte, writes nothing', async () => {
    const before = await countProjects();
    const body = JSON.stringify({ name: 'half open', description: 'x'.repeat(40) });
    const bytes = `${head()}Content-Length: ${body.length}\r\n\r\n${body}`;
    const cuts = Array.from({ length: 40 }, (_, at) => bytes.length - 1 - at * 2);
    await Promise.all(
      cuts.map((at) => sendRaw(service.baseUrl, bytes.slice(0, at), { waitMs: 150 })),
    );
    expect(await countProjects()).toBe(before);
    const whole = await sendRaw(service.baseUrl, bytes, { waitMs: 500 });
    expect(whole.text).toMatch(/^HTTP\/1\.1 201 /);
  });
});

describe('hosts and paths', () => {
  test.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'local host',
    '',
    '@localhost',
    '[::1',
    'localhost, evil.example',
  ])('the host %j is refused on the API and on pages', async (host) => {
    for (const path of ['/api/v1/me', '/console/v1/session', '/']) {
      const { text } = await sendRaw(
        service.baseUrl,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${tenant.key}\r\nConnection: close\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 (403|400) /);
      expect(text).toMatch(/"code":"(FORBIDDEN|VALIDATION_ERROR)"/);
    }
  });

  test.each([
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1/me/'],
    ['GET', '/api/v1/ME'],
    ['GET', '/api/v1//me'],
    ['GET', '/api/v2/me'],
    ['POST', '/api/v1/me'],
    ['DELETE', '/api/v1/projects'],
    ['PUT', '/api/v1/projects'],
    ['OPTIONS', '/api/v1/projects'],
    ['TRACE', '/api/v1/me'],
    ['PROPFIND', '/api/v1/me'],
    ['GET', '/console/v1/nothing'],
    ['POST', '/'],
  ])('%s %s: 404 in the error shape', async (method, path) => {
    const { text } = await sendRaw(
      service.baseUrl,
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${tenant.key}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
    expect(StrictErrorBody.safeParse(bodyOf(text)).success, text).toBe(true);
  });
});

test('metrics of a service that others reach need the token, also from this machine', async () => {
  const metricsToken = 'metrics-token';
  const reached = await service.another({ metricsToken, metricsNeedToken: true });
  const read = async (headers: Record<string, string>) =>
    (await call(`${reached.baseUrl}/metrics`, { headers })).status;
  expect(await read({})).toBe(403);
  expect(await read({ authorization: 'Bearer other-token' })).toBe(403);
  expect(await read({ authorization: `Bearer ${metricsToken}` })).toBe(200);
  await reached.stop();
});

async function countProjects(): Promise<number> {
  return (await call(`${service.baseUrl}/api/v1/projects`, { key: tenant.key })).body.items.length;
}

function pour(url: string, head: string): Promise<{ text: string; sentBytes: number }> {
  const { hostname, port } = new URL(url);
  const chunk = Buffer.concat([
    Buffer.from('10000\r\n'),
    Buffer.alloc(0x10000, ' '),
    Buffer.from('\r\n'),
  ]);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    let sentBytes = 0;
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, sentBytes });
    };
    const timer = setTimeout(finish, 10_000);
    const more = () => {
      while (!socket.destroyed && socket.writable && sentBytes < restBounds.bytes * 2) {
        sentBytes += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('data', (part) => {
      text += String(part);
    });
    socket.on('drain', more);
    socket.on('error', finish);
    socket.on('close', finish);
    socket.write(head);
    more();
  });
}

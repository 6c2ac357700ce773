import { closeServers, reasonOf, startServer, textOf } from '@proofmark/harness/hostile-servers.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { EgressPolicy } from './address-policy.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

const open: EgressPolicy = { allowLoopback: true, allowedPrivateHosts: [] };

afterEach(closeServers);

describe('an ordinary call', () => {
  it('carries method, headers and body there, and status, headers and body back', async () => {
    const server = await startServer(async (request, response) => {
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.writeHead(418, { 'content-type': 'application/json' });
      const { authorization, host } = request.headers;
      response.end(JSON.stringify([request.method, authorization, host, await textOf(request)]));
    });
    const response = await createGuardedFetch(open)(new URL(`${server.url}/x?y=1#z`), {
      method: 'PUT',
      headers: { authorization: 'Bearer token', host: 'other.test', 'content-length': '1' },
      body: 'grüße',
    });
    const host = `127.0.0.1:${server.port}`;
    expect(await response.json()).toEqual(['PUT', 'Bearer token', host, 'grüße']);
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.headers.getSetCookie()]).toEqual([418, ['a=1', 'b=2']]);
  });

  it.each([
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ])('%s with %i has no body', async (method, status) => {
    const server = await startServer((_, response) => response.writeHead(status).end());
    const response = await createGuardedFetch(open)(server.url, { method });
    expect([response.status, response.body]).toEqual([status, null]);
  });

  it('an invalid header is refused without repeating it', async () => {
    const call = createGuardedFetch(open)('http://127.0.0.1/', {
      headers: { a: 's3cret\n' + 'x' },
    });
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.not.toThrow(/s3cret/);
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('%i to another origin is not followed', async (status) => {
    const canary = await startServer((_, response) => response.end('canary'));
    const server = await startServer((_, response) =>
      response.writeHead(status, { location: `${canary.url}/?token=leak` }).end(),
    );
    const call = { method: 'POST', body: '{}', headers: { authorization: 'Bearer s3cret' } };
    expect(await reasonOf(createGuardedFetch(open)(server.url, call))).toBe('EGRESS_BLOCKED');
    expect(canary.connections()).toBe(0);
  });

  it.each(['http://169.254.169.254/', 'https://127.0.0.1/', 'file:///etc/passwd', 'http://a:b@c/'])(
    'a redirect to %s is blocked',
    async (location) => {
      const server = await startServer((_, response) =>
        response.writeHead(302, { location }).end(),
      );
      expect(await reasonOf(createGuardedFetch(open)(server.url))).toBe('EGRESS_BLOCKED');
    },
  );

  it('three redirects within the origin are followed, a fourth is not', async () => {
    const server = await startServer((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const response = await createGuardedFetch(open)(`${server.url}/3`);
    expect(await response.text()).toBe('arrived');
    expect([response.url, response.redirected]).toEqual([`${server.url}/0`, true]);
    expect(await reasonOf(createGuardedFetch(open)(`${server.url}/4`))).toBe('INVALID_RESPONSE');
  });

  it.each([
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'payload'],
    [308, 'POST', 'payload'],
  ])('after %i a POST goes on as %s', async (status, method, body) => {
    const server = await startServer(async (request, response) => {
      if (request.url === '/') response.writeHead(status, { location: '/next' }).end();
      else response.end(JSON.stringify([request.method, await textOf(request)]));
    });
    const response = await createGuardedFetch(open)(server.url, {
      method: 'POST',
      body: 'payload',
    });
    expect(await response.json()).toEqual([method, body]);
  });

  it('a caller that handles redirects itself gets the redirect, and nothing is followed', async () => {
    const canary = await startServer((_, response) => response.end('canary'));
    const server = await startServer((_, response) =>
      response.writeHead(307, { location: canary.url }).end('moved'),
    );
    const response = await createGuardedFetch(open)(server.url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([307, canary.url]);
    expect(await response.text()).toBe('moved');
    expect(canary.connections()).toBe(0);
    expect(await reasonOf(createGuardedFetch(open)(server.url, { redirect: 'error' }))).toBe(
      'INVALID_RESPONSE',
    );
  });
});

import { closeServers, reasonOf, startServer } from '@proofmark/harness/hostile-servers.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { EgressPolicy } from './address-policy.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

const open: EgressPolicy = { allowLoopback: true, allowedPrivateHosts: [] };

afterEach(closeServers);

describe('time', () => {
  const policy: EgressPolicy = { ...open, deadlineMs: 300 };

  it('a server that never answers ends at the deadline, and its socket is closed', async () => {
    const server = await startServer(() => undefined);
    expect(await reasonOf(createGuardedFetch(policy)(server.url))).toBe('TIMEOUT');
    await server.allClosed();
  });

  it('a server that stops after the headers ends at the deadline', async () => {
    const server = await startServer((_, response) => response.writeHead(200).write('a'));
    const response = await createGuardedFetch(policy)(server.url);
    expect(await reasonOf(response.text())).toBe('TIMEOUT');
    await server.allClosed();
  });

  it('a slow drip wins no time: the deadline is a total one', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': ping\n'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const response = await createGuardedFetch(policy)(server.url);
    expect(await reasonOf(response.text())).toBe('TIMEOUT');
    await server.allClosed();
  });

  it('an answer that nobody reads is closed at the deadline', async () => {
    const server = await startServer((_, response) => response.writeHead(200).write('a'));
    const response = await createGuardedFetch(policy)(server.url);
    await server.allClosed();
    expect(await reasonOf(response.text())).toBe('TIMEOUT');
  });

  it('a name server that never answers ends at the connect limit', async () => {
    const silent = { ...open, connectTimeoutMs: 100, lookup: () => new Promise<never>(() => {}) };
    expect(await reasonOf(createGuardedFetch(silent)('http://silent.test/'))).toBe('UNREACHABLE');
    const impatient = { ...silent, connectTimeoutMs: 60_000, deadlineMs: 100 };
    expect(await reasonOf(createGuardedFetch(impatient)('http://silent.test/'))).toBe('TIMEOUT');
  });

  it('the caller can abort before, during and after the headers', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('a');
    });
    const guarded = createGuardedFetch(open);
    const reason = new Error('no longer wanted');
    await expect(guarded(server.url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const during = new AbortController();
    const pending = guarded(server.url, { signal: during.signal });
    setTimeout(() => during.abort(reason), 30);
    await expect(pending).rejects.toBe(reason);
    const after = new AbortController();
    const response = await guarded(new Request(`${server.url}/body`, { signal: after.signal }));
    const text = response.text();
    after.abort(reason);
    await expect(text).rejects.toBe(reason);
  });

  it('a body that the reader cancels closes the socket', async () => {
    const server = await startServer((_, response) => response.writeHead(200).write('a'));
    const response = await createGuardedFetch(open)(server.url);
    await response.body?.cancel();
    await server.allClosed();
  });
});

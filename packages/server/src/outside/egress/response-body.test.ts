import { Readable } from 'node:stream';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import {
  closeServers,
  reasonOf,
  startRawServer,
  startServer,
} from '@proofmark/harness/hostile-servers.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { EgressPolicy } from './address-policy.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

const open: EgressPolicy = { allowLoopback: true, allowedPrivateHosts: [] };

afterEach(closeServers);

describe('size and encoding', () => {
  const policy: EgressPolicy = { ...open, maxResponseBytes: 64 * 1024 };

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', (data: Buffer) => data],
  ])('%s is decoded, and counted as decoded', async (encoding, compress) => {
    const server = await startServer((request, response) => {
      const size = Number(request.url?.slice(1));
      response
        .writeHead(200, { 'content-encoding': encoding })
        .end(compress(Buffer.alloc(size, 'a')));
    });
    const guarded = createGuardedFetch(policy);
    const exact = await guarded(`${server.url}/${64 * 1024}`);
    expect((await exact.text()).length).toBe(64 * 1024);
    const over = await guarded(`${server.url}/${64 * 1024 + 1}`);
    expect(await reasonOf(over.text())).toBe('RESPONSE_TOO_LARGE');
  });

  it('a gzip bomb of 1 GiB ends at the limit, without the memory it asks for', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const block = Buffer.alloc(1024 * 1024);
      const bomb = Readable.from(Array.from({ length: 1024 }, () => block)).pipe(createGzip());
      bomb.pipe(response);
      response.on('close', () => bomb.destroy());
    });
    const before = process.memoryUsage().rss;
    const response = await createGuardedFetch(open)(server.url);
    expect(await reasonOf(response.text())).toBe('RESPONSE_TOO_LARGE');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    await server.allClosed();
  });

  it.each(['gzip, gzip', 'gzip, identity', Array(1000).fill('gzip').join(','), 'compress', 'zstd'])(
    'an answer encoded as %.20s is refused',
    async (encoding) => {
      const server = await startServer((_, response) =>
        response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync(gzipSync('x'))),
      );
      expect(await reasonOf(createGuardedFetch(open)(server.url))).toBe('INVALID_RESPONSE');
    },
  );

  it('a chain of encodings spread over two headers is refused', async () => {
    const server = await startRawServer(
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-encoding: br\r\n\r\nx',
    );
    expect(await reasonOf(createGuardedFetch(open)(server))).toBe('INVALID_RESPONSE');
  });

  it.each([
    ['gzip', Buffer.from('not gzip')],
    ['br', Buffer.from('not brotli')],
    ['deflate', Buffer.from('not deflate')],
    ['gzip', gzipSync('x'.repeat(1000)).subarray(0, 15)],
    ['br', brotliCompressSync('x'.repeat(1000)).subarray(0, 5)],
  ])('broken %s is an invalid answer', async (encoding, body) => {
    const server = await startServer((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    );
    const response = await createGuardedFetch(open)(server.url);
    expect(await reasonOf(response.text())).toBe('INVALID_RESPONSE');
  });

  it.each(['hello\r\n\r\n', 'HTTP/1.1 999 X\r\n\r\n', 'HTTP/1.1 200 OK\r\nbad header\r\n\r\n'])(
    '%j is an invalid answer',
    async (bytes) => {
      const server = await startRawServer(bytes);
      expect(await reasonOf(createGuardedFetch(open)(server))).toBe('INVALID_RESPONSE');
    },
  );
});

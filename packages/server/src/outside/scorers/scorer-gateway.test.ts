import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  closeServers,
  startRawServer,
  startServer,
  textOf,
} from '@proofmark/harness/hostile-servers.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { EgressPolicy } from '../egress/address-policy.ts';
import { createScorerGateway, type ScorerCall } from './scorer-gateway.ts';

const open: EgressPolicy = { allowLoopback: true, allowedPrivateHosts: [] };
const secret = 'scs_canary-of-the-scorer-secret';
const never = new AbortController().signal;
afterEach(closeServers);

async function ask(
  url: string,
  { policy = open, signal = never, ...more }: Partial<ScorerCall> & AskOptions = {},
) {
  const gateway = createScorerGateway(policy, { beforeRetryMs: 1 });
  const outcome = await gateway.ask(
    { url, body: '{"schemaVersion":1}', secret, timeoutMs: 5_000, ...more },
    signal,
  );
  expect(JSON.stringify(outcome)).not.toContain(secret);
  return outcome;
}

interface AskOptions {
  readonly policy?: EgressPolicy;
  readonly signal?: AbortSignal;
}

type Handler = (request: IncomingMessage, response: ServerResponse, call: number) => unknown;

async function scorer(handler: Handler) {
  const seen: { count: number } = { count: 0 };
  const server = await startServer((request, response) => {
    seen.count += 1;
    return handler(request, response, seen.count);
  });
  return { ...server, asked: () => seen.count };
}

const json = (response: ServerResponse, value: unknown) => response.end(JSON.stringify(value));
const good = { score: 0.75, reason: 'It says the price.' };

describe('a scorer that behaves', () => {
  test('gets one signed POST, and its score and reason are taken', async () => {
    const before = Math.floor(Date.now() / 1000);
    let isSigned = false;
    const server = await scorer(async (request, response) => {
      const body = await textOf(request);
      const header = String(request.headers['proofmark-signature']);
      const [, seconds = '', given] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
      const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
      isSigned = given === expected && Number(seconds) >= before && Number(seconds) <= before + 60;
      expect(request.method).toBe('POST');
      expect(request.headers['content-type']).toBe('application/json');
      json(response, good);
    });
    expect(await ask(`${server.url}/score?of=price`)).toEqual(good);
    expect([isSigned, server.asked()]).toEqual([true, 1]);
  });

  test('is never sent the secret itself', async () => {
    let sent = '';
    const server = await scorer(async (request, response) => {
      sent = JSON.stringify(request.headers) + request.url + (await textOf(request));
      json(response, good);
    });
    await ask(server.url);
    expect(sent).toContain('proofmark-signature');
    expect(sent).not.toContain(secret);
  });
});

describe('tried once more', () => {
  test('a failure of its own, then an answer', async () => {
    const server = await scorer((_, response, call) => {
      if (call === 1) response.writeHead(500).end('{"score":1}');
      else json(response, good);
    });
    expect(await ask(server.url)).toEqual(good);
    expect(server.asked()).toBe(2);
  });

  test.each([500, 502, 503])('%i twice is a failure', async (status) => {
    const server = await scorer((_, response) => response.writeHead(status).end('{"score":1}'));
    const problem = `The scorer failed (HTTP ${status}). It was called twice.`;
    expect(await ask(server.url)).toEqual({ problem });
    expect(server.asked()).toBe(2);
  });

  test.each<[string, Handler]>([
    ['hangs', () => undefined],
    ['stops after the head', (_, response) => response.writeHead(200).flushHeaders()],
    ['drips', (_, response) => void drip(response)],
  ])('one that %s has its time, twice', async (_, handler) => {
    const server = await scorer(handler);
    const problem = 'The scorer did not answer in time. It was called twice.';
    const startedAt = performance.now();
    expect(await ask(server.url, { timeoutMs: 150 })).toEqual({ problem });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(server.asked()).toBe(2);
    await server.allClosed();
  });

  test.each<[string, Handler]>([
    ['hangs up', (request) => request.socket.destroy()],
    [
      'promises more bytes than it sends',
      (request, response) => {
        response.writeHead(200, { 'content-length': '500' });
        response.write('{"score":1}', () => request.socket.destroy());
      },
    ],
  ])('one that %s', async (_, handler) => {
    const server = await scorer(handler);
    expect(await ask(server.url)).toEqual({
      problem: expect.stringContaining('closed the connection before it answered'),
    });
    expect(server.asked()).toBe(2);
  });

  test('one that is not there', async () => {
    const server = await scorer(() => undefined);
    await closeServers();
    expect(await ask(server.url)).toEqual({ problem: expect.stringContaining('ECONNREFUSED') });
  });
});

describe('not tried again', () => {
  test.each([400, 401, 404, 408, 409, 429])('%i', async (status) => {
    const server = await scorer((_, response) => response.writeHead(status).end('{"score":1}'));
    const problem = `The scorer refuses the request (HTTP ${status}).`;
    expect(await ask(server.url)).toEqual({ problem });
    expect(server.asked()).toBe(1);
  });

  test.each([301, 302, 303, 307, 308])('%i, which is not followed', async (status) => {
    const elsewhere = await scorer((_, response) => json(response, { score: 1 }));
    const server = await scorer((_, response) =>
      response.writeHead(status, { location: elsewhere.url }).end('{"score":1}'),
    );
    expect(await ask(server.url)).toEqual({ problem: expect.stringContaining('redirect') });
    expect([server.asked(), elsewhere.asked()]).toEqual([1, 0]);
  });

  test.each<[string, string]>([
    ['what is no JSON', 'score: 1'],
    ['a page', '<html>1</html>'],
    ['nothing', ''],
    ['a score above 1', '{"score":7}'],
    ['NaN', '{"score":NaN}'],
    ['a text for a score', '{"score":"1"}'],
  ])('%s', async (_, body) => {
    const server = await scorer((_request, response) => response.end(body));
    expect(await ask(server.url)).toEqual({ problem: expect.stringMatching(/^The scorer /) });
    expect(server.asked()).toBe(1);
  });

  test('an answer of 10 MB, of which no more than 64 KiB are read', async () => {
    let written = 0;
    const server = await scorer((_, response) => {
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const send = () => {
        while (written < 10_000_000 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) return response.once('drain', send);
        }
        return response.end('{"score":1}');
      };
      send();
    });
    expect(await ask(server.url)).toEqual({ problem: expect.stringContaining('64 KiB') });
    expect(server.asked()).toBe(1);
    await server.allClosed();
    expect(written).toBeLessThan(10_000_000);
  });

  test('what is no HTTP', async () => {
    const url = await startRawServer('{"score":1}');
    expect(await ask(url)).toEqual({ problem: expect.stringContaining('not valid HTTP') });
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('%s where no operator allows it', async (host) => {
    const server = await scorer((_, response) => json(response, good));
    const policy = { allowLoopback: false, allowedPrivateHosts: [] };
    const outcome = await ask(`http://${host}:${server.port}/`, { policy });
    expect(outcome).toEqual({ problem: expect.stringContaining('not allowed') });
    expect(server.connections()).toBe(0);
  });

  test('a name that stands for a private address by the time it is called', async () => {
    const server = await scorer((_, response) => json(response, good));
    const policy: EgressPolicy = {
      allowLoopback: false,
      allowedPrivateHosts: [],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    };
    const outcome = await ask(`http://scorer.example:${server.port}/`, { policy });
    expect(outcome).toEqual({ problem: expect.stringContaining('not allowed') });
    expect(server.connections()).toBe(0);
  });
});

test('a scorer that says it passed is believed its score alone', async () => {
  const server = await scorer((_, response) =>
    json(response, { score: 0.1, passed: true, verdict: 'passed', threshold: 0 }),
  );
  expect(await ask(server.url)).toEqual({ score: 0.1 });
});

test('whoever does not want the answer any more does not wait for it', async () => {
  const gone = new AbortController();
  const server = await scorer(() => gone.abort(new Error('the run was cancelled')));
  const asked = ask(server.url, { signal: gone.signal, timeoutMs: 30_000 });
  await expect(asked).rejects.toThrow('the run was cancelled');
  expect(server.asked()).toBe(1);
  await server.allClosed();
});

async function drip(response: ServerResponse): Promise<void> {
  response.writeHead(200);
  while (!response.destroyed) {
    response.write(' ');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createApiClient } from './api-client.ts';
import { ApiError, ConnectionError } from './errors.ts';
import type { Progress } from './watch-request.ts';

const open: { close(): void; closeAllConnections(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createApiClient({ baseUrl, apiKey: 'sk_test', sleep: async () => undefined });
  const received: Progress[] = [];
  return {
    received,
    run: (signal?: AbortSignal) =>
      client.watch(
        'runDoctor',
        { projectId: 'p', serverId: 's', body: {} },
        (progress) => received.push(progress),
        signal === undefined ? {} : { signal },
      ),
  };
}

function begin(response: ServerResponse) {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  return (line: unknown) => response.write(`${JSON.stringify(line)}\n`);
}

const probe = { check: 'probe', status: 'ok', detail: 'Señal ✓' };

describe('a watched call', () => {
  test('tells each line before the next is sent, and gives back the result', async () => {
    let asked = '';
    let sendResult: (() => void) | undefined;
    const { run, received } = await serve((request, response) => {
      asked = `${request.method} ${request.url} ${request.headers.accept}`;
      const send = begin(response);
      send({ progress: probe });
      sendResult = () => {
        send({ result: { status: 'ready' } });
        response.end();
      };
    });
    const result = run();
    await expect.poll(() => received).toEqual([probe]);
    sendResult?.();
    expect(await result).toEqual({ status: 'ready' });
    expect(asked).toMatch(/^POST \/api\/v1\/projects\/p\/servers\/s\/doctor application\/x-ndjson/);
  });

  test('puts together lines that arrive in pieces, cut inside a character too', async () => {
    const { run, received } = await serve((_, response) => {
      begin(response);
      const text = `${JSON.stringify({ progress: probe })}\n\n{"result":{"status":"ready"}}`;
      const bytes = [...Buffer.from(text)];
      const next = () => {
        const byte = bytes.shift();
        if (byte === undefined) response.end();
        else response.write(Buffer.of(byte), () => setImmediate(next));
      };
      next();
    });
    expect(await run()).toEqual({ status: 'ready' });
    expect(received).toEqual([probe]);
  });

  test('an error line is the same error an answer would be', async () => {
    const { run } = await serve((_, response) => {
      const error = { code: 'TIMEOUT', message: 'Silent.', details: { afterMs: 5 } };
      begin(response)({ error });
      response.end();
    });
    const failure = await run().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 504, code: 'TIMEOUT', details: { afterMs: 5 } });
  });

  test('a refusal before the first line is an error too', async () => {
    const { run } = await serve((_, response) => {
      response.writeHead(404).end('{"code":"NOT_FOUND","message":"No."}');
    });
    await expect(run()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a service that answers all at once is understood', async () => {
    const { run, received } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{\n"status":"ready"\n}');
    });
    expect(await run()).toEqual({ status: 'ready' });
    expect(received).toEqual([]);
  });

  test.each([
    ['ends without a result', (response: ServerResponse) => response.end()],
    ['breaks off', (response: ServerResponse) => response.destroy()],
  ])('one that %s is not repeated', async (_, finish) => {
    let requests = 0;
    const { run, received } = await serve((_request, response) => {
      requests += 1;
      begin(response)({ progress: probe });
      setTimeout(() => finish(response), 20);
    });
    await expect(run()).rejects.toBeInstanceOf(ConnectionError);
    expect(received).toEqual([probe]);
    expect(requests).toBe(1);
  });

  test('who stops watching ends the request', async () => {
    let gone = false;
    const stop = new AbortController();
    const { run, received } = await serve((_, response) => {
      response.on('close', () => {
        gone = true;
      });
      begin(response)({ progress: probe });
    });
    const result = run(stop.signal).catch((error: unknown) => error);
    await expect.poll(() => received).toEqual([probe]);
    stop.abort(new Error('enough'));
    expect(await result).toMatchObject({ message: 'enough' });
    await expect.poll(() => gone).toBe(true);
  });
});

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createApiClient } from './api-client.ts';
import { ApiError, ConnectionError } from './errors.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, nth: number) => void;
const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function serve(handler: Handler) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    handler(request, response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  const waits: number[] = [];
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = createApiClient({
    baseUrl,
    apiKey: 'sk_test',
    sleep: async (milliseconds) => void waits.push(milliseconds),
    random: () => 0,
  });
  return { client, baseUrl, seen, waits };
}

function answer(response: ServerResponse, status: number, body: unknown, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

const refusal = { code: 'RATE_LIMITED', message: 'Too many requests.' };

describe('the client', () => {
  test('puts path and query parameters in place, encoded, and sends the key', async () => {
    let authorization: string | undefined;
    const { client, seen } = await serve((request, response) => {
      authorization = request.headers.authorization;
      answer(response, 200, { items: [] });
    });
    await client.listProjectServers({ projectId: 'a/b', limit: 5 });
    expect(seen).toEqual(['GET /api/v1/projects/a%2Fb/servers?limit=5']);
    expect(authorization).toBe('Bearer sk_test');
  });

  test('sends an idempotency key in its header, and then tries again what broke off', async () => {
    const keys: unknown[] = [];
    const { client, seen } = await serve((request, response, nth) => {
      keys.push(request.headers['idempotency-key']);
      if (nth === 1) response.destroy();
      else answer(response, nth === 2 ? 503 : 202, { runId: 'r' });
    });
    const run = await client.createEvalRun({
      projectId: 'p',
      idempotencyKey: 'key-1',
      body: { suiteId: 's' },
    });
    expect(run.runId).toBe('r');
    expect(keys).toEqual(['key-1', 'key-1', 'key-1']);
    expect(seen[2]).toBe('POST /api/v1/projects/p/eval-runs');
  });

  test('never repeats a launch without a key that may have had its effect', async () => {
    const { client, seen } = await serve((_request, response) => response.destroy());
    const launch = client.createEvalRun({ projectId: 'p', body: { suiteId: 's' } });
    await expect(launch).rejects.toThrow(ConnectionError);
    expect(seen).toHaveLength(1);
  });

  test('takes limit and cursor also where the page is a part of the answer', async () => {
    const { client, seen } = await serve((_request, response) =>
      answer(response, 200, { diagnostics: { items: [], complete: true, scannedIterations: 0 } }),
    );
    const run = { projectId: 'p', runId: 'r' };
    const summary = await client.getEvalRunDecisionSummary({ ...run, limit: 5, cursor: 'next' });
    expect(seen).toEqual([
      'GET /api/v1/projects/p/eval-runs/r/decision-summary?limit=5&cursor=next',
    ]);
    expect(summary.diagnostics.items).toEqual([]);
  });

  test('sends the body as JSON and gives back the answer', async () => {
    let received = '';
    const { client } = await serve((request, response) => {
      request.on('data', (chunk) => (received += String(chunk)));
      request.on('end', () => answer(response, 201, { id: 'prj_1', name: 'One' }));
    });
    const project = await client.createProject({ body: { name: 'One' } });
    expect(JSON.parse(received)).toEqual({ name: 'One' });
    expect(project.id).toBe('prj_1');
  });

  test('waits as Retry-After says, then tries again, for writes too', async () => {
    const { client, seen, waits } = await serve((_, response, nth) =>
      nth === 1
        ? answer(response, 429, refusal, { 'retry-after': '7' })
        : answer(response, 201, { id: 'prj_1' }),
    );
    await client.createProject({ body: { name: 'One' } });
    expect(seen).toHaveLength(2);
    expect(waits).toEqual([7000]);
  });

  test('does not wait for a Retry-After that is not there', async () => {
    const { client, waits } = await serve((_, response, nth) =>
      nth < 3 ? answer(response, 429, refusal) : answer(response, 200, { id: 'acc_1' }),
    );
    await client.getMe();
    expect(waits).toEqual([125, 250]);
  });

  test('gives up when the wait would be longer than a minute', async () => {
    const { client, seen } = await serve((_, response) =>
      answer(response, 429, refusal, { 'retry-after': '3600' }),
    );
    await expect(client.getMe()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3600 });
    expect(seen).toHaveLength(1);
  });

  test('repeats a failed read but never a failed write that may have had its effect', async () => {
    const { client, seen } = await serve((_, response) =>
      answer(response, 500, { code: 'INTERNAL_ERROR', message: 'Failed.' }),
    );
    await expect(client.getMe()).rejects.toBeInstanceOf(ApiError);
    expect(seen).toHaveLength(4);
    await expect(client.createProject({ body: { name: 'One' } })).rejects.toBeInstanceOf(ApiError);
    expect(seen).toHaveLength(5);
  });

  test('gives errors a code and details to decide on', async () => {
    const { client } = await serve((_, response) =>
      answer(response, 401, {
        code: 'UNAUTHORIZED',
        message: 'No.',
        details: { reason: 'ORPHANED_KEY' },
      }),
    );
    await expect(client.getMe()).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      details: { reason: 'ORPHANED_KEY' },
    });
  });

  test('an answer that is no JSON is an error, not nothing', async () => {
    const { client } = await serve((_, response) => response.end('<html>'));
    await expect(client.getMe()).rejects.toThrow('not JSON');
  });

  test.each(['', '.', '..'])(
    'refuses %j as an id, which would lead elsewhere',
    async (projectId) => {
      const { client, seen } = await serve((_, response) => answer(response, 200, {}));
      expect(() => client.listProjectServers({ projectId })).toThrow(TypeError);
      expect(seen).toEqual([]);
    },
  );

  test('a caller who gives up while it waits is not kept waiting', async () => {
    const { baseUrl } = await serve((_, response) =>
      answer(response, 429, refusal, { 'retry-after': '50' }),
    );
    const stop = new AbortController();
    const call = createApiClient({ baseUrl }).getMe({}, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(call).rejects.toThrow('enough');
  });

  test('says where it could not connect', async () => {
    const client = createApiClient({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
    await expect(client.getMe()).rejects.toBeInstanceOf(ConnectionError);
  });
});

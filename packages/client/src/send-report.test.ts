import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { createApiClient } from './api-client.ts';
import { batchesOf, type ReportedResult, sendReport } from './send-report.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

type Answer = { status: number; body: unknown; retryAfter?: string } | 'breaks off';

async function serve(answer: (step: string, body: { results?: unknown[] }) => Answer) {
  const server = createServer(async (request: IncomingMessage, response) => {
    const step = request.url?.split('/').at(-1) ?? '';
    const given = answer(step, JSON.parse(await text(request)));
    if (given === 'breaks off') return request.socket.destroy();
    response.writeHead(given.status, {
      ...(given.retryAfter !== undefined && { 'retry-after': given.retryAfter }),
    });
    return response.end(JSON.stringify(given.body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const limited = {
  status: 429,
  retryAfter: '7',
  body: { code: 'RATE_LIMITED', message: 'Slow down.' },
};

function results(count: number): ReportedResult[] {
  return Array.from({ length: count }, (_, at) => ({
    caseTitle: `case ${at}`,
    passed: true,
    externalIterationId: `trial-${at}`,
  }));
}

function taken(step: string, { results: batch = [] }: { results?: unknown[] }): Answer {
  const body =
    step === 'iterations'
      ? { inserted: batch.length, skipped: 0 }
      : { runId: 'run_1', status: step === 'start' ? 'running' : 'completed', result: 'passed' };
  return { status: 200, body };
}

const report = { projectId: 'default', suiteName: 'Unit', externalRunId: 'build-1' };

describe('a report', () => {
  test('waits as long as the limit lasts, says so, and loses nothing', async () => {
    const answers = [...Array<Answer>(9).fill(limited)];
    const waited: number[] = [];
    const slept: number[] = [];
    const client = createApiClient({
      baseUrl: await serve((step, body) => answers.pop() ?? taken(step, body)),
      maxRetries: 0,
      limitPatience: { mostMs: 120_000, onWait: (seconds) => waited.push(seconds) },
      sleep: async (milliseconds) => void slept.push(milliseconds),
      random: () => 0,
    });
    const sent = await sendReport(client, { ...report, results: results(2500) });
    expect(sent).toMatchObject({ inserted: 2500, result: 'passed' });
    expect(waited).toEqual(Array(9).fill(7));
    expect(slept).toEqual(Array(9).fill(7000));
  });

  test('waits no longer than it was told to', async () => {
    const client = createApiClient({
      baseUrl: await serve(() => limited),
      limitPatience: { mostMs: 20_000 },
      sleep: async () => {},
      random: () => 0,
    });
    await expect(sendReport(client, { ...report, results: results(1) })).rejects.toMatchObject({
      status: 429,
    });
  });

  test('is sent again where the service breaks off', async () => {
    const answers: Answer[] = [{ status: 503, body: {} }, 'breaks off'];
    const client = createApiClient({
      baseUrl: await serve((step, body) => answers.pop() ?? taken(step, body)),
      sleep: async () => {},
    });
    expect(await sendReport(client, { ...report, results: results(3) })).toMatchObject({
      inserted: 3,
    });
  });

  test('of a run that has ended already sends no result', async () => {
    const steps: string[] = [];
    const client = createApiClient({
      baseUrl: await serve((step) => {
        steps.push(step);
        return { status: 200, body: { runId: 'run_1', status: 'completed', result: 'failed' } };
      }),
    });
    const sent = await sendReport(client, { ...report, results: results(3) });
    expect(sent).toMatchObject({ inserted: 0, skipped: 3, result: 'failed' });
    expect(steps).toEqual(['start']);
  });
});

test('batches hold at most a thousand results and 4 MiB, and all of them in order', () => {
  expect(batchesOf([])).toEqual([]);
  expect(batchesOf(results(3000)).map(({ length }) => length)).toEqual([1000, 1000, 1000]);
  const long = results(5).map((one) => ({ ...one, trace: 'ä'.repeat(900_000) }));
  expect(batchesOf(long).map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(batchesOf(long).flat()).toEqual(long);
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApiClient } from '@proofmark/client';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchDecision } from './fetch-decision.ts';

const projectId = 'prj_1';
const run = {
  id: 'run_1',
  projectId,
  suiteId: 'ste_1',
  source: 'api',
  status: 'completed',
  result: null,
  verdict: 'notEstablished',
  verdictPolicyVersion: null,
  verdictSummary: null,
  undecided: { reason: 'verdictSummaryUnavailable' },
  summary: null,
  iterationCount: 30_000,
  expectedIterations: 30_000,
};
const asked: string[] = [];
let failures: number;

const service = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://service');
  asked.push(pathname);
  if (pathname.endsWith('/quarantine')) {
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ items: [], most: 1 }));
  }
  const isList = pathname.endsWith('/iterations');
  const from = Number(searchParams.get('cursor') ?? 0);
  const to = Math.min(failures, from + Number(searchParams.get('limit')));
  const items = Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    id: `itr_${from + index}`,
    iterationNumber: 1,
    status: 'completed',
    result: 'failed',
    expectedToolCalls: [],
    actualToolCalls: [],
  }));
  const page = { items, ...(to < failures && { nextCursor: String(to) }) };
  response.setHeader('content-type', 'application/json');
  return response.end(JSON.stringify(isList ? page : run));
});
let connection: Parameters<typeof fetchDecision>[0];

beforeAll(async () => {
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  connection = { client: createApiClient({ baseUrl: url, apiKey: 'sk_1' }), projectId };
});
afterAll(() => service.close());
beforeEach(() => {
  asked.length = 0;
});

test.each([
  ['people read the first of them', 450, 'first', { requests: 3, listed: 200, complete: false }],
  ['a program reads all', 450, 'all', { requests: 5, listed: 450, complete: true }],
  ['three requests are enough for few', 200, 'all', { requests: 3, listed: 200, complete: true }],
  ['all has a bound', 10_001, 'all', { requests: 52, listed: 10_000, complete: false }],
] as const)('%s', async (_title, amount, wanted, expected) => {
  failures = amount;
  const { summary, isAll } = await fetchDecision(connection, 'run_1', wanted);
  const { items, complete } = summary.diagnostics;
  expect({ requests: asked.length, listed: items.length, complete }).toEqual(expected);
  expect(new Set(items.map(({ iterationId }) => iterationId)).size).toBe(expected.listed);
  expect(isAll).toBe(expected.complete);
});

/**
 * Tests every operation with a silent database. The answer must be 503 with a retry time, within
 * six seconds, whether the database goes silent before or after the caller is found.
 */
import { allOperations, ErrorBody, type Operation } from '@proofmark/contract';
import { type SilentProxy, startSilentProxy } from '@proofmark/harness/silent-proxy.ts';
import {
  call,
  signInAs,
  startTestService,
  type TestService,
} from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { Heartbeat } from '../../packages/server/src/platform/database/heartbeat.ts';
import { defaultRunLimits } from '../../packages/server/src/platform/spending/run-limits.ts';
import { createExample } from './examples.ts';
import { stopExamples } from './real-server.ts';
import { requestUrl } from './request-url.ts';
import { idsFor, type TenantOfAll, tenantOfAll } from './tenant-of-all.ts';

const StrictErrorBody = ErrorBody.strict();
const longestMs = 6000;
const apiRows = allOperations.filter((row) => row.surface === 'api');

let service: TestService;
let mine: TenantOfAll;
let person: Record<string, string>;
let proxy: SilentProxy;
let api: { baseUrl: string; stop(): Promise<void> };
let behindDoor: { baseUrl: string; stop(): Promise<void> };
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startTestService({ runLimits: { ...defaultRunLimits, concurrentRuns: 1000 } });
  mine = await tenantOfAll(service, 'mine');
  for (const feature of ['swarms', 'user-testing'] as const)
    await service.operator.setFeature(mine.organizationId, feature, 'on');
  person = await signInAs(service, mine.accountId);
  proxy = await startSilentProxy(() => service.serviceUrl);
  const { vault } = service;
  const heartbeat = new Heartbeat(proxy.url);
  const database = openDatabase({ url: proxy.url, vault, as: 'service', heartbeat });
  api = await service.another({ database });
  // This service still authenticates callers, since `callers` uses a working database. Only the
  // later work meets the silent database.
  behindDoor = await service.another({
    database: { ...database, callers: service.database.callers },
  });
  stops.push(
    () => behindDoor.stop(),
    () => api.stop(),
    () => database.close(),
    () => heartbeat.close(),
    () => proxy.stop(),
    () => service.stop(),
    stopExamples,
  );
});
afterAll(async () => {
  for (const stop of stops) await stop();
});
beforeEach(async () => {
  proxy.speakAgain();
  const ready = async () => (await call(`${api.baseUrl}/readyz`)).status;
  await expect.poll(ready, { timeout: 10_000 }).toBe(200);
});

interface Answered {
  readonly operationId: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly reason: unknown;
  readonly isStrict: boolean;
  readonly tookMs: number;
}

async function timed(
  baseUrl: string,
  row: Operation,
  request: Parameters<typeof call>[1],
  values: object = {},
): Promise<Answered> {
  const url = requestUrl(baseUrl, row, { ...idsFor(row, mine), ...values });
  const startedAt = performance.now();
  const answer = await call(url, { method: row.method, ...request });
  return {
    operationId: row.operationId,
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    reason: answer.body?.details?.reason,
    isStrict: StrictErrorBody.safeParse(answer.body).success,
    tookMs: performance.now() - startedAt,
  };
}

function isAway({ status, retryAfter, reason, isStrict }: Answered): boolean {
  return status === 503 && retryAfter === '5' && reasons.includes(reason) && isStrict;
}

/** On a busy machine, either the time limit of the database or that of the request passes first. */
const reasons: readonly unknown[] = ['DATABASE_AWAY', 'NOT_IN_TIME'];

const ofCallerAlone = ['getMe', 'getEnvironmentCapabilities'];

const otherwise = (answers: readonly Answered[]) => answers.filter((one) => !isAway(one));
/**
 * Time in which this process was not running is subtracted, so that a busy machine causes no
 * failure.
 */
const late = (answers: readonly Answered[], lostMs: number) =>
  answers.filter((one) => one.tookMs > longestMs + lostMs);

function watchLostTime(): () => number {
  let lostMs = 0;
  let lastAt = performance.now();
  const timer = setInterval(() => {
    const nowAt = performance.now();
    lostMs += Math.max(0, nowAt - lastAt - betweenLooksMs);
    lastAt = nowAt;
  }, betweenLooksMs);
  return () => {
    clearInterval(timer);
    return lostMs;
  };
}

const betweenLooksMs = 20;

describe('a database that goes silent', () => {
  test('before the caller is known: every operation answers 503 in time, and again while it lasts', async () => {
    const all = (rows: readonly Operation[] = allOperations): Promise<Answered[]> =>
      Promise.all(
        rows.map((row) => {
          const isApi = row.surface === 'api';
          const headers = { ...person, origin: api.baseUrl };
          const body = row.body === undefined ? {} : { body: {} };
          return timed(api.baseUrl, row, { ...(isApi ? { key: mine.key } : { headers }), ...body });
        }),
      );
    // Loads code and opens connections before the measurement. Only reads are called, since these
    // change no data.
    const reads = allOperations.filter((row) => row.method === 'GET' && !row.outbound);
    for (const { status } of await all(reads)) expect(status).not.toBe(503);
    proxy.goSilent();
    let lost = watchLostTime();
    const first = await all();
    expect(first.length).toBeGreaterThan(100);
    expect(otherwise(first)).toEqual([]);
    expect(late(first, lost())).toEqual([]);
    expect((await call(`${api.baseUrl}/readyz`)).status).toBe(503);
    lost = watchLostTime();
    const second = await all();
    expect(otherwise(second)).toEqual([]);
    expect(late(second, lost())).toEqual([]);
  });

  test('after the caller is known: every valid call of the API answers 503 in time, reports too', async () => {
    const examples = [];
    for (const row of apiRows) examples.push({ row, ...(await createExample(service, mine, row)) });
    proxy.goSilent();
    const lost = watchLostTime();
    const answers = await Promise.all(
      examples.map(({ row, values, ...body }) =>
        timed(behindDoor.baseUrl, row, { key: mine.key, ...body }, values),
      ),
    );
    expect(otherwise(answers).map(({ operationId }) => operationId)).toEqual(ofCallerAlone);
    expect(late(answers, lost())).toEqual([]);
    expect(apiRows.filter((row) => row.ingestion).length).toBeGreaterThan(3);
  });
});

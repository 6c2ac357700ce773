/**
 * Tests clients that report runs while the service, its database or both are killed repeatedly at
 * random times. A second service on the same database also loses its open connections. No
 * acknowledged trial may be lost or exist twice. `PROOFMARK_KILLS` and `PROOFMARK_ITERATIONS` make
 * the series longer and vary it; `PROOFMARK_SEED` repeats one.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { type SilentProxy, startSilentProxy } from '@proofmark/harness/silent-proxy.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  readConnectionRecord,
  urlOf,
} from '../../packages/server/src/platform/embedded/connection-file.ts';
import { type IngestionLoad, isPassing, reportTo, startIngestionLoad } from './ingestion-load.ts';
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { seededChance } from './seeded-chance.ts';

const kills = Number(process.env['PROOFMARK_KILLS'] ?? 4);
const runCount = 2;
const trialsPerRun = Number(process.env['PROOFMARK_ITERATIONS'] ?? 1200) / runCount;
/**
 * The number of acknowledgements to wait for before each kill. All these waits together use half of
 * the trials; the rest is left for the time between kills.
 */
const floor = Math.floor((trialsPerRun * runCount) / (kills + 1) / 2);
const longestDelayMs = 20;
const victims = ['service', 'service and database', 'silent', 'database', 'service'] as const;
const isLong = process.env['PROOFMARK_KILLS'] !== undefined;
const seed = Number(process.env['PROOFMARK_SEED'] ?? (isLong ? randomInt(1_000_000) : 1));
const chance = seededChance(seed);

let workspace: TestWorkspace;
const unlimited = { PROOFMARK_RATE_LIMIT: 'off' };
let service: StartedProofmark;
/** A second service on the same database, connected through the proxy. */
let beside: StartedProofmark;
let isBesideUsed = false;
let proxy: SilentProxy;
let target: { url(): string; key: string; projectId: string };
let load: IngestionLoad;

beforeAll(async () => {
  workspace = createReadyWorkspace();
  service = await workspace.serve([], unlimited);
  const { apiKey, projectId } = await workspace.admin(
    ...['bootstrap', '--email', 'owner@kills.example', '--organization', 'Kills'],
  );
  proxy = await startSilentProxy(() => urlOf(readConnectionRecord(workspace.dataDir) as never));
  beside = await workspace.serve(['--database-url', proxy.url, '--no-worker'], unlimited);
  const url = () => (isBesideUsed ? beside.url : service.url);
  target = { url, key: apiKey, projectId };
  load = await startIngestionLoad({ ...target, runs: runCount, trialsPerRun, chance });
});
afterAll(async () => {
  await load?.stop();
  await workspace?.remove();
  await proxy?.stop();
});

async function read(path: string) {
  const { key, projectId } = target;
  const answer = await call(`${service.url}/api/v1/projects/${projectId}/eval-runs/${path}`, {
    key,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function kill(victim: (typeof victims)[number]): Promise<void> {
  const noticed = load.retries;
  if (victim === 'silent') {
    proxy.silenceOpen();
    await until(() => load.retries > noticed, 'a reporter notices');
    await until(async () => (await call(`${beside.url}/readyz`)).status === 200, 'it is back');
    isBesideUsed = false;
    return;
  }
  const killed = victim === 'database' ? undefined : service.kill();
  if (victim !== 'service') workspace.killDatabase();
  if (killed === undefined) {
    await until(() => load.retries > noticed, 'a reporter notices');
    await until(async () => (await call(`${service.url}/readyz`)).status === 200, 'it is back');
  } else {
    await killed;
    service = await workspace.serve([], unlimited);
  }
}

test(`${kills} kills in the middle of ${trialsPerRun * runCount} trials lose none and double none`, {
  timeout: 60_000 + kills * 15_000,
}, async () => {
  const shares: number[] = [];
  for (let round = 0; round < kills; round += 1) {
    const victim = victims[round % victims.length] ?? 'service';
    isBesideUsed = victim === 'silent';
    const before = load.acknowledgedTrials;
    await load.untilAcknowledged(floor);
    await pause(chance.integer(longestDelayMs + 1));
    shares.push(load.acknowledgedTrials - before);
    expect(load.acknowledgedTrials, 'nothing was left to kill').toBeLessThan(
      trialsPerRun * runCount,
    );
    const acknowledged = load.runs.map((run) => run.acknowledged.size);
    await kill(victim);
    for (const [index, { runId }] of load.runs.entries()) {
      const { iterationCount } = await read(runId);
      expect(iterationCount).toBeGreaterThanOrEqual(acknowledged[index] as number);
    }
  }
  await load.finished();
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(floor);
  expect(load.retries, 'a kill that nobody noticed').toBeGreaterThan(0);
  expect(load.refused).toEqual([]);
  let lost = 0;
  let doubled = 0;
  for (const { runId, acknowledged } of load.runs) {
    const present = await readNumbers(runId);
    const distinct = new Set(present);
    lost += [...acknowledged].filter((number) => !distinct.has(number)).length;
    doubled += present.length - distinct.size;
    expect(distinct.size).toBe(trialsPerRun);
  }
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  console.log(
    `seed ${seed}: ${kills} kills and silences, ${load.acknowledgedTrials} trials acknowledged, ${load.retries} batches sent again, ` +
      `${Math.min(...shares)} to ${Math.max(...shares)} trials before a kill, ${lost} lost, ${doubled} doubled`,
  );
});

test('a run whose service is killed while it ends is ended by asking again, and its counts add up', async () => {
  const numbers = Array.from({ length: trialsPerRun }, (_, index) => index + 1);
  const passed = numbers.filter(isPassing).length;
  for (const [index, { runId, externalRunId }] of load.runs.entries()) {
    const end = () => reportTo(target, 'runs/finalize', { runId, externalRunId });
    if (index === 0) {
      const ending = end().catch(() => undefined);
      await pause(chance.integer(longestDelayMs + 1));
      await kill('service');
      await ending;
    }
    const ended = await end();
    expect(ended.body).toMatchObject({
      status: 'completed',
      result: 'failed',
      summary: { total: trialsPerRun, passed, failed: trialsPerRun - passed },
    });
    expect((await end()).text).toBe(ended.text);
    const { verdictSummary, iterationCount } = await read(runId);
    expect(iterationCount).toBe(trialsPerRun);
    const sum = (name: string) =>
      verdictSummary.cases.reduce(
        (total: number, row: Record<string, number>) => total + (row[name] ?? 0),
        0,
      );
    expect([sum('passedTrials'), sum('failedTrials')]).toEqual([passed, trialsPerRun - passed]);
  }
});

async function readNumbers(runId: string): Promise<number[]> {
  const numbers: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await read(`${runId}/iterations?limit=200${query}`);
    for (const { iterationNumber } of page.items) numbers.push(iterationNumber);
    cursor = page.nextCursor;
    if (cursor === undefined) return numbers;
  }
}

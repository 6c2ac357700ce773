/**
 * Tests a restore beside services and workers. The restore is refused while they hold the data, and
 * makes them release it on request. A kill at any time must leave the data either completely old or
 * completely restored, and services must continue. `PROOFMARK_RESTORE_KILLS` makes the series
 * longer and varies it; `PROOFMARK_SEED` repeats one.
 */
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  ProofmarkProcess,
  StartedProofmark,
} from '@proofmark/harness/journeys/start-proofmark.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { call, type TestAnswer } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  readConnectionRecord,
  urlOf,
} from '../../packages/server/src/platform/embedded/connection-file.ts';
import { isOneSentence } from './one-sentence.ts';
import { createReadyWorkspace } from './ready-workspace.ts';
import { seededChance } from './seeded-chance.ts';
import { listProjectIds } from './write-load.ts';

const kills = Number(process.env['PROOFMARK_RESTORE_KILLS'] ?? 3);
const isLong = process.env['PROOFMARK_RESTORE_KILLS'] !== undefined;
const seed = Number(process.env['PROOFMARK_SEED'] ?? (isLong ? randomInt(1_000_000) : 1));
const chance = seededChance(seed);
const victims = ['restore', 'service', 'restore', 'worker'] as const;
/**
 * `after` is the output of the restore after which the kill is timed; `withinMs` is the longest
 * delay of the kill.
 */
const moments = [
  { name: 'loading', after: 'The replaced data is in', withinMs: 300 },
  { name: 'letting go', after: 'Waiting until', withinMs: 1500 },
  { name: 'starting', after: '', withinMs: 3000 },
] as const;

const workspace = createReadyWorkspace();
const file = `${workspace.folder}/early.backup`;
const unlimited = { PROOFMARK_RATE_LIMIT: 'off' };
let service: StartedProofmark;
let worker: ProofmarkProcess;
let made: { apiKey: string; organizationId: string };
let early: Set<string>;
let late: Set<string>;

beforeAll(async () => {
  service = await workspace.serve([], unlimited);
  made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
  );
  await startWorker();
  await createProject('early');
  early = await projects();
  const backup = await workspace.runHere(['backup', file, '--data-dir', workspace.dataDir]);
  expect(backup.code, backup.stderr).toBe(0);
  await createProject('late');
  late = await projects();
});
afterAll(() => workspace.remove());

const projects = () => listProjectIds(service.url, made.apiKey);
const restoring = (...flags: string[]) => [
  ...['restore', file, '--data-dir', workspace.dataDir, ...flags],
];
async function createProject(name: string): Promise<void> {
  const body = { name };
  const created = await call(`${service.url}/api/v1/projects`, {
    method: 'POST',
    key: made.apiKey,
    body,
  });
  expect(created.status, created.text).toBe(201);
}
async function startWorker(): Promise<void> {
  const record = readConnectionRecord(workspace.dataDir);
  if (record === undefined) throw new Error('There is no database.');
  const key = readFileSync(`${workspace.dataDir}/secret.key`, 'utf8').trim();
  worker = workspace.spawn(['work', '--database-url', urlOf(record)], {
    PROOFMARK_SECRET_KEY: key,
  });
  await until(() => worker.stdout().includes('ready'), 'the worker is ready');
}
async function untilServed(): Promise<void> {
  const isServed = async () => {
    const answer = await call(`${service.url}/api/v1/me`, { key: made.apiKey }).catch(
      () => undefined,
    );
    return answer?.status === 200;
  };
  await until(isServed, `the service goes on: ${service.stderr()}`);
}
async function restoreLines(): Promise<number> {
  // A long series writes more entries than the default limit.
  const lines = await workspace.admin(
    ...['audit-log', '--organization', made.organizationId, '--limit', '10000'],
  );
  return lines.filter(({ action }: { action: string }) => action === 'installation.restored')
    .length;
}
const backupsBefore = () =>
  readdirSync(workspace.folder).filter((name) => /^before-restore-\w+\.backup$/.test(name)).length;

describe('is refused, and nothing changes', () => {
  test('while a service and a worker hold the data', async () => {
    const refused = await workspace.runHere(restoring('--yes'));
    expect(refused.code).toBe(3);
    expect(isOneSentence(refused.stderr), refused.stderr).toBe(true);
    for (const { pid } of [service, worker]) expect(refused.stderr).toContain(`process ${pid} on `);
    expect(refused.stderr).toContain('--stop-others');
  });

  test('where nobody can be asked and nobody said yes', async () => {
    const refused = await workspace.run(restoring('--stop-others'));
    expect(refused.code).toBe(3);
    expect(isOneSentence(refused.stderr), refused.stderr).toBe(true);
    expect(refused.stderr).toContain('--yes');
    expect(refused.stderr).toContain(workspace.dataDir);
    expect(await projects()).toEqual(late);
    expect(backupsBefore()).toBe(0);
  });
});

test('with --stop-others they let go, say so meanwhile, and go on with what was restored', async () => {
  const answers: TestAnswer[] = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      answers.push(await call(`${service.url}/api/v1/me`, { key: made.apiKey }));
      await pause(20);
    }
  })();
  const restored = await workspace.run(restoring('--stop-others', '--yes'));
  await untilServed().finally(() => {
    isOver = true;
  });
  await asking;
  expect(restored.code, restored.stderr).toBe(0);
  expect(restored.stdout).toMatch(/^Restored \d+ rows of \d+ tables/);
  expect(backupsBefore()).toBe(1);
  expect(restored.stderr).toMatch(/The replaced data is in \S+before-restore-\w+\.backup\./);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  const away = answers.find(({ status }) => status === 503);
  expect(away?.body).toEqual({
    code: 'INTERNAL_ERROR',
    message: expect.any(String),
    details: { reason: 'RESTORING', retryAfterSeconds: 5 },
  });
  expect(away?.headers.get('retry-after')).toBe('5');
  expect(await projects()).toEqual(early);
  expect(await restoreLines()).toBe(1);
  await until(
    () => worker.stderr().includes('the restore has ended'),
    `the worker goes on: ${worker.stderr()}`,
  );
});

test(`killed at random moments (${kills}), nothing is half restored, nothing is doubled, and services go on`, {
  timeout: 120_000 + kills * 60_000,
}, async () => {
  await createProject('later');
  late = await projects();
  const outcomes: string[] = [];
  // The audit log must keep the entry of every restore.
  let restores = await restoreLines();
  for (let round = 0; round < kills; round += 1) {
    const victim = victims[round % victims.length] as (typeof victims)[number];
    const moment = moments[(isLong ? chance.integer(9) : round) % 3] as (typeof moments)[number];
    const delayMs = chance.integer(moment.withinMs);
    const command = workspace.spawn(restoring('--stop-others', '--yes'));
    await until(() => command.stderr().includes(moment.after), `it is ${moment.name}`);
    await pause(delayMs);
    if (victim === 'restore') await command.kill();
    if (victim === 'service') await service.kill();
    if (victim === 'worker') await worker.kill();
    const ended = await command.ended;
    // A surviving restore may still lose its database when the service is killed. It must then have
    // changed all data or none.
    if (victim === 'worker') expect(ended.code, command.stderr()).toBe(0);
    if (victim === 'service') service = await workspace.serve([], unlimited);
    if (victim === 'worker') await startWorker();
    await untilServed();
    const found = await projects();
    const isRestored = found.size === early.size;
    expect(found, `round ${round}, seed ${seed}`).toEqual(isRestored ? early : late);
    if (isRestored) restores += 1;
    expect(await restoreLines()).toBe(restores);
    outcomes.push(`${victim} at ${moment.name} ${isRestored ? 'new' : 'old'}`);
    if (isRestored) {
      await createProject(`round ${round}`);
      late = await projects();
    }
  }
  console.log(`restore killed ${kills} times, seed ${seed}: ${outcomes.join(', ')}`);
  expect(outcomes).toHaveLength(kills);
});

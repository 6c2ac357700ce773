/**
 * Tests changing the secret key while the service works. The change and the service are killed at
 * random times. At the end all values must be readable with the new key, and none with the old one.
 * `PROOFMARK_KEY_KILLS` makes the series longer and varies it; `PROOFMARK_SEED` repeats one.
 */
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { openServerSecrets } from '@proofmark/harness/open-server-secrets.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import {
  findKeyFacts,
  isKeyChanging,
  learnKeys,
} from '../../packages/server/src/platform/database/key-facts.ts';
import {
  readConnectionRecord,
  urlOf,
} from '../../packages/server/src/platform/embedded/connection-file.ts';
import { createVault } from '../../packages/server/src/platform/vault/vault.ts';
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { seededChance } from './seeded-chance.ts';

const kills = Number(process.env['PROOFMARK_KEY_KILLS'] ?? 3);
const isLong = process.env['PROOFMARK_KEY_KILLS'] !== undefined;
const seed = Number(process.env['PROOFMARK_SEED'] ?? (isLong ? randomInt(1_000_000) : 1));
const chance = seededChance(seed);
const secret = 'canary-of-a-header-77';

let workspace: TestWorkspace;
const unlimited = { PROOFMARK_RATE_LIMIT: 'off' };
const keyFile = () => `${workspace.dataDir}/secret.key`;
let service: StartedProofmark;
// biome-ignore lint/suspicious/noExplicitAny: the answer of a command.
let made: any;
const saved: string[] = [];

beforeAll(async () => {
  workspace = createReadyWorkspace();
  service = await workspace.serve(['--no-worker'], unlimited);
  made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@keys.example', '--organization', 'Keys'],
  );
});
afterAll(() => workspace?.remove());

async function save(): Promise<void> {
  const answer = await call(`${service.url}/api/v1/projects/${made.projectId}/servers`, {
    method: 'POST',
    key: made.apiKey,
    body: {
      name: `Server ${saved.length}`,
      enabled: true,
      transportType: 'http',
      url: `https://mcp.example/mcp?key=${secret}`,
      headers: { 'X-Token': secret },
      clientSecret: secret,
    },
  });
  expect(answer.status, answer.text).toBe(201);
  saved.push(answer.body.id);
}

async function openAll(key: string): Promise<number> {
  const url = urlOf(readConnectionRecord(workspace.dataDir) as never);
  const vault = createVault(Buffer.from(key, 'base64'));
  const facts = await findKeyFacts(url);
  if (facts === undefined || !learnKeys(vault, facts)) throw new Error('The key is refused.');
  const database = openDatabase({ url, vault, as: 'owner', maxConnections: 1 });
  let opened = 0;
  try {
    for (const id of saved) {
      const place = { id, organizationId: made.organizationId };
      const found = await openServerSecrets(database.sql, vault, place);
      expect(found).toEqual({ headers: { 'X-Token': secret }, clientSecret: secret });
      opened += 1;
    }
  } finally {
    await database.close();
  }
  return opened;
}

const moments = ['during', 'end', 'begin'] as const;
const victims = ['both', 'change', 'service', 'change'] as const;

/**
 * Waits for a moment of a change: before or at its start, while values are being encrypted anew, or
 * near its end.
 */
async function untilMoment(
  moment: (typeof moments)[number],
  { ended }: { readonly ended: Promise<unknown> },
): Promise<void> {
  if (moment === 'begin') return pause(chance.integer(3000));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const url = urlOf(readConnectionRecord(workspace.dataDir) as never);
  await until(async () => isOver || (await isKeyChanging(url)), 'the change has begun');
  await pause(moment === 'during' ? chance.integer(300) : 5700 + chance.integer(600));
}

/**
 * Starts the service again. If the key change began without a running service, the change holds the
 * data directory until it ends.
 */
async function serveAgain(changed: Promise<unknown>): Promise<StartedProofmark> {
  try {
    return await workspace.serve(['--no-worker'], unlimited);
  } catch (error) {
    if (!String(error).includes('is in use')) throw error;
    await changed;
    return workspace.serve(['--no-worker'], unlimited);
  }
}

const readKey = () => readFileSync(keyFile(), 'utf8').trim();
const rotate = () => ['admin', 'rotate-secret-key', '--json', '--data-dir', workspace.dataDir];

test(`${kills} kills during changes of the key leave nothing unreadable`, {
  timeout: 60_000 + kills * 20_000,
}, async () => {
  const first = readKey();
  for (let round = 0; round < kills; round += 1) {
    await save();
    const change = workspace.spawn(rotate());
    await untilMoment(moments[round % moments.length] ?? 'during', change);
    const victim = victims[round % victims.length];
    if (victim !== 'service') await change.kill();
    if (victim !== 'change') {
      await service.kill();
      service = await serveAgain(change.ended);
    }
    await save();
    await change.ended;
    await save();
    expect(await openAll(readKey())).toBe(saved.length);
  }
  const last = await workspace.runHere(rotate());
  expect(last.code, last.stderr).toBe(0);
  expect(JSON.parse(last.stdout)).toMatchObject({ unreadable: [], file: keyFile() });
  await save();
  const current = readKey();
  expect(current).not.toBe(first);
  expect(await openAll(current)).toBe(saved.length);
  await expect(openAll(first)).rejects.toThrow('refused');
  const me = await call(`${service.url}/api/v1/me`, { key: made.apiKey });
  expect(me.status, 'API keys outlive the key').toBe(200);
  await service.stop();
  writeFileSync(keyFile(), `${first}\n`, { mode: 0o600 });
  const refused = await workspace.runHere([
    'serve',
    '--port',
    '0',
    '--data-dir',
    workspace.dataDir,
  ]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('sealed with another key');
  expect(existsSync(keyFile())).toBe(true);
  writeFileSync(keyFile(), `${current}\n`, { mode: 0o600 });
  service = await workspace.serve(['--no-worker'], unlimited);
  expect(await openAll(current)).toBe(saved.length);
});

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { openServerSecrets } from '@proofmark/harness/open-server-secrets.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { createVault } from '../../packages/server/src/platform/vault/vault.ts';
import { isOneSentence } from './one-sentence.ts';
import { type OwnCluster, startOwnCluster } from './own-cluster.ts';
import { createReadyWorkspace } from './ready-workspace.ts';
import { listProjectIds, startWriteLoad } from './write-load.ts';

const workspace = createReadyWorkspace();
const file = `${workspace.folder}/all.backup`;
const unlimited = { PROOFMARK_RATE_LIMIT: 'off' };
const secret = 'client-secret-canary-61';
let cluster: OwnCluster;
let service: ServiceHere;
let acknowledgedBefore: readonly string[];
// biome-ignore lint/suspicious/noExplicitAny: answers of a command and of the API.
let made: any, server: any;

beforeAll(async () => {
  cluster = await startOwnCluster();
  service = await workspace.serveHere([], unlimited);
  made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
  );
  const created = await call(`${service.url}/api/v1/projects/${made.projectId}/servers`, {
    method: 'POST',
    key: made.apiKey,
    body: {
      name: 'Sealed',
      enabled: true,
      transportType: 'http',
      url: 'https://mcp.example/mcp',
      headers: { 'X-Token': secret },
      clientSecret: secret,
    },
  });
  server = created.body;
});
afterAll(async () => {
  await workspace.remove();
  await cluster.stop();
});

function secretKey(): string {
  return readFileSync(`${workspace.dataDir}/secret.key`, 'utf8').trim();
}

async function expectAllThere(url: string): Promise<void> {
  const present = await listProjectIds(url, made.apiKey);
  expect(acknowledgedBefore.filter((id) => !present.has(id))).toEqual([]);
  const path = `${url}/api/v1/projects/${made.projectId}/servers/${server.id}`;
  expect((await call(path, { key: made.apiKey })).body).toEqual(server);
}

test('a backup under load holds everything acknowledged before it, and no secret in the clear', async () => {
  const load = startWriteLoad(service.url, made.apiKey, { clients: 3 });
  await load.untilAcknowledged(30);
  acknowledgedBefore = [...load.acknowledged];
  const done = await workspace.run(['backup', file, '--data-dir', workspace.dataDir]);
  await load.stop();
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toMatch(/^Wrote \d+ rows of \d+ tables/);
  expect(load.refused).toEqual([]);
  const content = gunzipSync(readFileSync(file)).toString('latin1');
  expect(content).toContain(server.id);
  for (const hidden of [secret, made.apiKey, secretKey(), 'mcp.example']) {
    expect(content).not.toContain(hidden);
  }
});

describe('restored into the embedded database it came from', () => {
  test('what was changed since is undone; keys and data work', async () => {
    const gone = await call(
      `${service.url}/api/v1/projects/${made.projectId}/servers/${server.id}`,
      { method: 'DELETE', key: made.apiKey },
    );
    expect(gone.status).toBe(200);
    await service.stop();
    const done = await workspace.runHere([
      ...['restore', file, '--yes', '--data-dir', workspace.dataDir],
    ]);
    expect(done.code, done.stderr).toBe(0);
    service = await workspace.serveHere([], unlimited);
    await expectAllThere(service.url);
  });
});

describe('restored into a PostgreSQL by URL', () => {
  test('keys, data and sealed secrets work with the same key, and not with another', async () => {
    const url = await cluster.createDatabase();
    const environment = { ...unlimited, PROOFMARK_SECRET_KEY: secretKey() };
    const restore = (more: Record<string, string>) =>
      workspace.runHere(['restore', file, '--yes', '--database-url', url], more);
    const done = await restore(environment);
    expect(done.code, done.stderr).toBe(0);

    const wrong = {
      PROOFMARK_SECRET_KEY: Buffer.from(secretKey(), 'base64').reverse().toString('hex'),
    };
    const serving = ['serve', '--port', '0', '--database-url', url];
    for (const refused of [await workspace.runHere(serving, wrong), await restore(wrong)]) {
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain('another key');
    }

    // After both failed attempts, all data must still exist.
    const other = await workspace.serveHere([], { ...environment, PROOFMARK_DATABASE_URL: url });
    await expectAllThere(other.url);
    const vault = createVault(Buffer.from(secretKey(), 'base64'));
    const database = openDatabase({ url, vault, as: 'owner', maxConnections: 1 });
    try {
      const place = { id: server.id, organizationId: made.organizationId };
      const opened = await openServerSecrets(database.sql, vault, place);
      expect(opened).toEqual({ headers: { 'X-Token': secret }, clientSecret: secret });
    } finally {
      await database.close();
    }
    const again = await workspace.runHere(
      ['backup', `${file}.2`, '--database-url', url],
      environment,
    );
    expect(again.code, again.stderr).toBe(0);
    await other.stop();
  });
});

test('a backup of a folder without a database is refused, and makes none there', async () => {
  const nowhere = `${workspace.folder}/nowhere`;
  const done = await workspace.runHere(['backup', `${file}.none`, '--data-dir', nowhere]);
  expect(done.code).toBe(3);
  expect(isOneSentence(done.stderr)).toBe(true);
  expect(existsSync(nowhere)).toBe(false);
});

describe('a file that is not whole', () => {
  const damaged = `${workspace.folder}/damaged.backup`;
  test.each([
    ['has another byte in the middle', (bytes: Buffer) => flip(bytes, bytes.length >> 1)],
    ['has another byte near the end', (bytes: Buffer) => flip(bytes, bytes.length - 12)],
    ['ends in the middle', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['is empty', () => Buffer.alloc(0)],
    ['is something else', () => Buffer.from('select 1;')],
  ])('%s: it is refused with one sentence and nothing changes', async (_, damage) => {
    writeFileSync(damaged, damage(readFileSync(file)));
    const before = await listProjectIds(service.url, made.apiKey);
    const done = await workspace.runHere([
      'restore',
      damaged,
      '--yes',
      '--data-dir',
      workspace.dataDir,
    ]);
    expect(done.code).toBe(3);
    expect(isOneSentence(done.stderr), done.stderr).toBe(true);
    expect(await listProjectIds(service.url, made.apiKey)).toEqual(before);
    await expectAllThere(service.url);
  });

  test('a file that is not there is refused with one sentence', async () => {
    const missing = `${workspace.folder}/missing.backup`;
    const done = await workspace.runHere([
      'restore',
      missing,
      '--yes',
      '--data-dir',
      workspace.dataDir,
    ]);
    expect(done.code).toBe(3);
    expect(isOneSentence(done.stderr), done.stderr).toBe(true);
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] as number) ^ 0x10;
  return bytes;
}

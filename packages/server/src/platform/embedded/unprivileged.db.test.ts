import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canMount } from '@proofmark/harness/can-mount.ts';
import { memoryFolder } from '@proofmark/harness/memory-folder.ts';
import { startChild } from '@proofmark/harness/start-child.ts';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import { testedBinaries } from '@proofmark/harness/tested-binaries.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { embeddedBinaries } from './postgres-binaries.ts';
import { postgresProcessesOn } from './process-facts.ts';
import { canEnter, runAsFor } from './run-as.ts';

const tested = testedBinaries(process.env['PROOFMARK_TEST_CLUSTER']);
const script = fileURLToPath(
  new URL('../../../../harness/src/hold-database.child.ts', import.meta.url),
);
const isRoot = process.getuid?.() === 0;
const fast = { fsync: 'off' };
let directory: TemporaryDirectory;
beforeEach(() => {
  directory = temporaryDirectory(0o711, memoryFolder());
});
afterEach(() => directory.remove());

describe.runIf(isRoot)('as root', () => {
  test('the database runs as a user without rights, who owns the cluster', async () => {
    const database = await startEmbeddedPostgres({
      dataDir: directory.path,
      settings: fast,
      sync: false,
      ...tested,
    });
    const wanted = runAsFor(undefined);
    expect(wanted?.uid).not.toBe(0);
    expect(statSync(database.dataDir).uid).toBe(wanted?.uid);
    for (const pid of postgresProcessesOn(database.dataDir)) {
      expect(statSync(`/proc/${pid}`).uid).toBe(wanted?.uid);
    }
    await database.stop();
  });

  test('below a private folder the data moves to a reachable one, is found again, and the start says so', async () => {
    const hidden = join(directory.path, 'hidden');
    mkdirSync(hidden, { mode: 0o700 });
    const dataDir = join(hidden, 'data');
    const sentences: string[] = [];
    const options = {
      dataDir,
      settings: fast,
      sync: false,
      notify: (sentence: string) => sentences.push(sentence),
      ...tested,
    };
    const first = await startEmbeddedPostgres(options);
    try {
      expect(first.dataDir).toMatch(/^\/var\/lib\/proofmark\/[0-9a-f]{16}\/postgres$/);
      const sentence = `PostgreSQL does not run as root and its user cannot reach ${dataDir}, so the database is kept in ${dirname(first.dataDir)}; to delete all data, stop Proofmark and delete both folders.`;
      expect(sentences).toEqual([sentence]);
      expect(statSync(hidden).mode & 0o777).toBe(0o700);
      await run(first.url, 'create table t ()');
      await first.stop();
      const second = await startEmbeddedPostgres(options);
      await run(second.url, 'select from t');
      await second.stop();
      expect(second.dataDir).toBe(first.dataDir);
      expect(sentences).toEqual([sentence, sentence]);

      // If only the data directory is deleted, the cluster's folder outside of it remains. Every
      // start then fails with the path of that folder and leaves it unchanged, until a person
      // deletes it too.
      rmSync(dataDir, { recursive: true });
      const elsewhere = dirname(first.dataDir);
      for (const _ of ['once', 'again']) {
        await expect(startEmbeddedPostgres(options)).rejects.toThrow(
          `The database of an earlier ${dataDir} is still in ${elsewhere}, though that data directory was deleted: delete ${elsewhere} too (rm -r ${elsewhere}) to begin with an empty one, or put the deleted folder back.`,
        );
      }
      expect(existsSync(join(first.dataDir, 'PG_VERSION'))).toBe(true);
      rmSync(elsewhere, { recursive: true });
      const third = await startEmbeddedPostgres(options);
      await expect(run(third.url, 'select from t')).rejects.toThrow(/does not exist/);
      await third.stop();
    } finally {
      await first.stop();
      rmSync(dirname(first.dataDir), { recursive: true, force: true });
      removeIfEmpty('/var/lib/proofmark');
    }
  });

  test('programs below a private folder are copied to where they can be run', async () => {
    const embedded = await embeddedBinaries();
    const hidden = join(directory.path, 'hidden');
    mkdirSync(hidden, { mode: 0o700 });
    const native = join(hidden, 'native');
    const link = copyWithoutLinks(dirname(dirname(embedded.postgres)), native);
    const dataDir = join(directory.path, 'data');
    const sentences: string[] = [];
    const database = await startEmbeddedPostgres({
      dataDir,
      settings: fast,
      sync: false,
      binaries: { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') },
      notify: (sentence) => sentences.push(sentence),
    });
    await run(database.url, 'select 1');
    await database.stop();
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toContain(`copied to ${join(dataDir, 'native-')}`);
    expect(existsSync(link)).toBe(false);
  });

  const nobody = { uid: 65534, gid: 65534 };
  const nobodyCanRun = [dirname(script), process.execPath].every((path) => canEnter(path, nobody));
  test.runIf(nobodyCanRun)(
    'an ordinary user starts, stops and owns the database, and root can start it afterwards',
    async () => {
      const dataDir = join(directory.path, 'data');
      mkdirSync(dataDir);
      chownSync(dataDir, nobody.uid, nobody.gid);
      const parameters = [dataDir, JSON.stringify(fast), 'quiet', JSON.stringify(tested)];
      const child = startChild(script, parameters, nobody);
      const cluster = join(dataDir, 'postgres');
      try {
        expect(await child.first).toMatchObject({ uid: nobody.uid, attached: false });
        expect(statSync(cluster).uid).toBe(nobody.uid);
      } finally {
        child.kill('SIGTERM');
        await child.closed;
      }
      expect(await child.closed).toBe(0);
      expect(postgresProcessesOn(cluster)).toEqual([]);

      const asRoot = await startEmbeddedPostgres({ dataDir, settings: fast, ...tested });
      await run(asRoot.url, 'select 1');
      await asRoot.stop();
      expect(statSync(cluster).uid).toBe(nobody.uid);
    },
  );

  test.runIf(nobodyCanRun)(
    'programs that cannot be completed where they are are copied',
    async () => {
      const embedded = await embeddedBinaries();
      const native = join(directory.path, 'native');
      copyWithoutLinks(dirname(dirname(embedded.postgres)), native);
      const dataDir = join(directory.path, 'data');
      mkdirSync(dataDir);
      chownSync(dataDir, nobody.uid, nobody.gid);
      const binaries = { initdb: `${native}/bin/initdb`, postgres: `${native}/bin/postgres` };
      const parameters = [dataDir, JSON.stringify(fast), 'quiet', JSON.stringify({ binaries })];
      const child = startChild(script, parameters, nobody);
      try {
        expect(await child.first).toMatchObject({ uid: nobody.uid });
      } finally {
        child.kill('SIGTERM');
        await child.closed;
      }
      expect(child.errors()).toContain(`copied to ${join(dataDir, 'native-')}`);
    },
  );

  test.runIf(canMount())(
    'a full disk stops the database only for as long as it is full, and nothing acknowledged is lost',
    async () => {
      const disk = join(directory.path, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=120m,mode=755', 'tmpfs', disk]);
      try {
        const database = await startEmbeddedPostgres({
          dataDir: join(disk, 'data'),
          sync: false,
          ...tested,
        });
        await run(database.url, 'create table t (n int, filling bytea)');
        const acknowledged = await fillUntilItFails(database.url);
        expect(acknowledged).toBeGreaterThan(10);
        execFileSync('mount', ['-o', 'remount,size=400m', disk]);
        await expect
          .poll(() => run(database.url, 'select count(*)::int as n from t').catch(() => -1), {
            timeout: 30_000,
            interval: 200,
          })
          .toBeGreaterThanOrEqual(acknowledged);
        await run(database.url, 'insert into t values (0, null)');
        await database.stop();
        console.log(`full disk: 0 of ${acknowledged} acknowledged rows lost`);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    },
    90_000,
  );
});

test('library links that no install script made are made at the start', async () => {
  const embedded = await embeddedBinaries();
  const native = join(directory.path, 'native');
  const link = copyWithoutLinks(dirname(dirname(embedded.postgres)), native);
  const sentences: string[] = [];
  const database = await startEmbeddedPostgres({
    dataDir: join(directory.path, 'data'),
    settings: fast,
    sync: false,
    binaries: { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') },
    notify: (sentence) => sentences.push(sentence),
  });
  await run(database.url, 'select 1');
  await database.stop();
  expect(sentences).toEqual([]);
  expect(existsSync(link)).toBe(true);
});

function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/**
 * Copies the programs as an installation without install scripts leaves them. Returns the first
 * missing link.
 */
function copyWithoutLinks(from: string, to: string): string {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  const links = (
    JSON.parse(readFileSync(join(to, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  ).map(({ target }) => join(dirname(to), target));
  for (const link of links) rmSync(link, { force: true });
  expect(links.length).toBeGreaterThan(0);
  return links[0] as string;
}

/**
 * Inserts rows until an insert fails. The bytes are random, since PostgreSQL compresses other
 * bytes. Node generates them, since PostgreSQL is too slow.
 */
async function fillUntilItFails(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  let count = 0;
  try {
    for (; ; count += 1) {
      await client.query('insert into t values ($1, $2)', [count, randomBytes(128_000)]);
    }
  } catch {
    return count;
  } finally {
    await client.end().catch(() => {});
  }
}

async function run(url: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<{ n: number }>(statement)).rows[0]?.n ?? 0;
  } finally {
    await client.end().catch(() => {});
  }
}

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { memoryFolder } from '@proofmark/harness/memory-folder.ts';
import { copyReadyDataDirectory } from '@proofmark/harness/ready-data-directory.ts';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import { testedBinaries } from '@proofmark/harness/tested-binaries.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clusterOf, writeConnectionRecord } from './connection-file.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { postgresProcessesOn, processStart } from './process-facts.ts';
import { runAsFor, spawnAs } from './run-as.ts';

const tested = testedBinaries(process.env['PROOFMARK_TEST_CLUSTER']);
// Settings that make the test fast. Data survives the end of a process, but not a crash of the
// machine.
const fast = { fsync: 'off', full_page_writes: 'off' };

describe('the embedded database', () => {
  let directory: TemporaryDirectory;
  let dataDir: string;
  let running: EmbeddedPostgres[];
  const start = async (
    more: { settings?: Record<string, string>; notify?: (s: string) => void } = {},
  ) => {
    const database = await startEmbeddedPostgres({
      dataDir,
      sync: false,
      settings: fast,
      ...tested,
      ...more,
    });
    running.push(database);
    return database;
  };

  beforeEach(() => {
    directory = temporaryDirectory(0o711, memoryFolder());
    dataDir = join(directory.path, 'data');
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((database) => database.stop()));
    const cluster = running[0]?.dataDir;
    const left = cluster === undefined ? [] : postgresProcessesOn(cluster);
    directory.remove();
    expect(left).toEqual([]);
  });

  test('the first start makes a private cluster with a password, the second keeps data and port', async () => {
    const first = await start();
    expect(first.attached).toBe(false);
    expect(first.dataDir).toBe(join(dataDir, 'postgres'));
    expect(first.url).toMatch(/^postgres:\/\/proofmark:[\w-]{32}@127\.0\.0\.1:\d+\/proofmark$/);
    expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
    expect(statSync(first.dataDir).mode & 0o777).toBe(0o700);
    expect(await ask(first.url, 'show server_version')).toMatch(
      tested.binaries ? /^1[5-9]/ : /^18\./,
    );
    expect(await ask(first.url, 'show server_encoding')).toBe('UTF8');
    expect(await ask(first.url, "select lower('ÄÉ')")).toBe('äé');
    await ask(first.url, "create table t as select 'kept' as word");
    await expect(ask(first.url.replace(/:[\w-]{32}@/, ':wrong@'), 'select 1')).rejects.toThrow(
      /password authentication failed/,
    );
    await first.stop();
    expect(postgresProcessesOn(first.dataDir)).toEqual([]);
    expect(existsSync(join(first.dataDir, 'postmaster.pid'))).toBe(false);

    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, 'select word from t')).toBe('kept');
  });

  test('a default start keeps fsync on', async () => {
    copyReadyDataDirectory(dataDir);
    const database = await start({ settings: {} });
    expect(await ask(database.url, 'show fsync')).toBe('on');
  });

  test('another program on the port makes the next start take another one', async () => {
    const record = copyReadyDataDirectory(dataDir);
    const stranger = createServer();
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', () => done()));
    const { port: taken } = stranger.address() as AddressInfo;
    writeConnectionRecord(dataDir, { ...record, port: taken });
    try {
      const second = await start();
      expect(Number(new URL(second.url).port)).not.toBe(taken);
      expect(await ask(second.url, 'select 1')).toBe(1);
    } finally {
      await new Promise((done) => stranger.close(done));
    }
  });

  test('a killed server is started again at the same address, as often as it takes', async () => {
    copyReadyDataDirectory(dataDir);
    const sentences: string[] = [];
    const database = await start({ notify: (sentence) => sentences.push(sentence) });
    await ask(database.url, 'create table t (n int)');
    const pids = new Set<number>();
    for (let round = 1; round <= 3; round += 1) {
      const pid = readPostmasterFile(database.dataDir)?.pid as number;
      pids.add(pid);
      process.kill(pid, 'SIGKILL');
      await expect
        .poll(
          () => ask(database.url, `insert into t values (${round}) returning n`).catch(() => 0),
          {
            timeout: 20_000,
          },
        )
        .toBe(round);
    }
    expect(pids.size).toBe(3);
    expect(await ask(database.url, 'select count(*)::int from t')).toBe(3);
    expect(sentences.filter((sentence) => sentence === 'PostgreSQL runs again.')).toHaveLength(3);
  });

  test('a pid file that names a living stranger, a zombie or nobody does not stand in the way', async () => {
    const cluster = clusterOf(dataDir, copyReadyDataDirectory(dataDir));
    const stranger = spawn('sleep', ['60'], {
      ...spawnAs(runAsFor(cluster)),
      stdio: 'ignore',
    });
    // A shell that starts a child and then becomes a program that never waits for the child. The
    // child must outlive the shell, since a shell would wait for it.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60'], {
      ...spawnAs(runAsFor(cluster)),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      for (const pid of [stranger.pid as number, await zombieOf(parent), 4_000_000]) {
        const file = join(cluster, 'postmaster.pid');
        writeFileSync(file, `${pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n  123 456\nready   \n`);
        const database = await start();
        expect(database.attached).toBe(false);
        expect(await ask(database.url, 'select 1')).toBe(1);
        await database.stop();
      }
      expect(processStart(stranger.pid as number)).toBeDefined();
    } finally {
      stranger.kill('SIGKILL');
      parent.kill('SIGKILL');
    }
  });
});

describe('a start that cannot work', () => {
  let directory: TemporaryDirectory;
  beforeEach(() => {
    directory = temporaryDirectory(0o711, memoryFolder());
    copyReadyDataDirectory(directory.path);
  });
  afterEach(() => directory.remove());

  test('is tried again and then ends with one sentence that quotes the log', async () => {
    const settings = { ...fast, shared_buffers: 'plenty' };
    await expect(
      startEmbeddedPostgres({
        dataDir: directory.path,
        settings,
        sync: false,
        ...tested,
      }),
    ).rejects.toThrow(/^PostgreSQL did not start in 7 tries; .*"shared_buffers": "plenty"/);
  }, 20_000);

  test('never puts an empty database in the place of a lost one', async () => {
    const dataDir = directory.path;
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    await expect(startEmbeddedPostgres({ dataDir, ...tested })).rejects.toThrow(
      /is not there: put it back/,
    );
  });

  test('keeps what a statement held out of the log', async () => {
    const database = await startEmbeddedPostgres({
      dataDir: directory.path,
      settings: fast,
      sync: false,
      ...tested,
    });
    await ask(database.url, 'create table t (word text unique)');
    await ask(database.url, "insert into t values ('canary-word')");
    await expect(ask(database.url, "insert into t values ('canary-word')")).rejects.toThrow(
      /duplicate/,
    );
    await database.stop();
    const log = readFileSync(join(directory.path, 'postgres.log'), 'utf8');
    expect(log).toContain('duplicate key');
    expect(log).not.toContain('canary-word');
  });
});

async function zombieOf(parent: ChildProcessByStdio<null, Readable, null>): Promise<number> {
  const pid = Number(String(await once(parent.stdout, 'data').then(([text]) => text)));
  await expect.poll(() => processStart(pid), { timeout: 10_000 }).toBeUndefined();
  expect(() => process.kill(pid, 0)).not.toThrow();
  return pid;
}

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end().catch(() => {});
  }
}

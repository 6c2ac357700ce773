import { fileURLToPath } from 'node:url';
import { memoryFolder } from '@proofmark/harness/memory-folder.ts';
import { copyReadyDataDirectory } from '@proofmark/harness/ready-data-directory.ts';
import { type Child, startChild } from '@proofmark/harness/start-child.ts';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import { testedBinaries } from '@proofmark/harness/tested-binaries.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { livingHolder, lockDataDirectory } from './data-directory-lock.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { findRunningDatabase } from './find-running-database.ts';
import { postgresProcessesOn } from './process-facts.ts';

const tested = testedBinaries(process.env['PROOFMARK_TEST_CLUSTER']);
const script = fileURLToPath(
  new URL('../../../../harness/src/hold-database.child.ts', import.meta.url),
);
let directory: TemporaryDirectory;
let children: Child[];
let cluster: string;

beforeEach(() => {
  directory = temporaryDirectory(0o711, memoryFolder());
  copyReadyDataDirectory(directory.path);
  cluster = `${directory.path}/postgres`;
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map((child) => child.closed));
  for (const pid of postgresProcessesOn(cluster)) killHard(pid);
  await expect.poll(() => postgresProcessesOn(cluster)).toEqual([]);
  directory.remove();
});

test('after kill -9 of our process the next start takes the orphan over and nothing acknowledged is lost', async () => {
  const result = await killRounds({ rounds: 2, alsoPostgres: false, settings: {} });
  expect(result).toMatchObject({ missing: 0, attached: 2 });
  expect(result.acknowledged).toBeGreaterThanOrEqual(200);
}, 60_000);

test('after kill -9 of our process and of every PostgreSQL process nothing acknowledged is lost', async () => {
  const result = await killRounds({ rounds: 2, alsoPostgres: true, settings: {} });
  expect(result).toMatchObject({ missing: 0, attached: 0 });
  expect(result.acknowledged).toBeGreaterThanOrEqual(200);
}, 60_000);

test('the count above sees a loss: without synchronous commits rows are missing', async () => {
  const settings = { synchronous_commit: 'off', wal_writer_delay: '10s' };
  const result = await killRounds({ rounds: 1, alsoPostgres: true, settings });
  expect(result.missing).toBeGreaterThan(0);
}, 60_000);

test('an orphan with other settings is stopped and started anew', async () => {
  const child = hold({});
  await child.first;
  child.kill('SIGKILL');
  await child.closed;
  const before = postgresProcessesOn(cluster);
  expect(before.length).toBeGreaterThan(0);
  const database = await startEmbeddedPostgres({
    dataDir: directory.path,
    settings: { work_mem: '8MB' },
    ...tested,
  });
  expect(database.attached).toBe(false);
  expect(postgresProcessesOn(cluster).filter((pid) => before.includes(pid))).toEqual([]);
  await database.stop();
  expect(postgresProcessesOn(cluster)).toEqual([]);
});

test('a second process is refused by name, and a command beside it finds the database', async () => {
  expect(await findRunningDatabase(directory.path)).toBeUndefined();
  const first = hold({}, 'quiet');
  const { url } = await first.first;
  await expect.poll(() => livingHolder(directory.path)?.url).toBe('http://127.0.0.1:3300');
  expect(await findRunningDatabase(directory.path)).toEqual({ url });

  const second = hold({}, 'quiet');
  expect(await second.closed).toBe(3);
  expect(second.errors()).toMatch(
    new RegExp(`in use by process ${first.pid} at http://127.0.0.1:3300 since \\d{4}-.*: use that`),
  );

  first.kill('SIGTERM');
  expect(await first.closed).toBe(0);
  expect(postgresProcessesOn(cluster)).toEqual([]);
  expect(await findRunningDatabase(directory.path)).toBeUndefined();
  lockDataDirectory(directory.path).release();
});

function hold(settings: Record<string, string>, rows = 'rows'): Child {
  const binaries = JSON.stringify(tested);
  const child = startChild(script, [directory.path, JSON.stringify(settings), rows, binaries]);
  children.push(child);
  return child;
}

async function killRounds(plan: {
  rounds: number;
  alsoPostgres: boolean;
  settings: Record<string, string>;
}) {
  const acknowledged = new Set<string>();
  let missing = 0;
  let attached = 0;
  for (let round = 0; round < plan.rounds; round += 1) {
    const child = hold(plan.settings);
    await child.first;
    await expect
      .poll(() => child.lines.length, { timeout: 20_000 })
      .toBeGreaterThan(100 + round * 17);
    child.kill('SIGKILL');
    if (plan.alsoPostgres) for (const pid of postgresProcessesOn(cluster)) killHard(pid);
    // All output of the child must be read first, so that no acknowledged row is missed.
    await child.closed;
    for (const line of child.lines.slice(1)) acknowledged.add(line);

    const database = await startEmbeddedPostgres({
      dataDir: directory.path,
      settings: plan.settings,
      ...tested,
    });
    if (database.attached) attached += 1;
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const present = new Set(
      (await client.query('select id::text from kept').catch(() => ({ rows: [] }))).rows.map(
        (row: { id: string }) => row.id,
      ),
    );
    await client.end();
    await database.stop();
    missing = [...acknowledged].filter((id) => !present.has(id)).length;
  }
  console.log(
    `acknowledged rows missing: ${missing} of ${acknowledged.size} after ${plan.rounds} kills`,
  );
  return { acknowledged: acknowledged.size, missing, attached };
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

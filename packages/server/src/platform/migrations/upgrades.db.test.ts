/**
 * Tests that data of every released schema version reaches the latest version with every row, both
 * by a migration in place and by a restore. `packages/harness/src/schema-dumps/` contains a small
 * backup of each version. `PROOFMARK_WRITE_DUMPS=1` writes missing backups; an existing backup is
 * never written again.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { restoreBackup } from '@proofmark/harness/restore-backup.ts';
import { rowsOfVersions } from '@proofmark/harness/schema-dumps/rows-of-versions.ts';
import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import type pg from 'pg';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { backupTo } from '../backup/backup-to.ts';
import { restoreFrom, type VerifiedBackup, verifyBackup } from '../backup/restore-from.ts';
import { connect } from '../database/connect.ts';
import { type Migration, migrations } from './list.ts';
import { latestMigration, migrate, migrateWithin, refuseBeforeBaseLine } from './migrate.ts';

const versions = migrations.map((_, index) => index + 1);
const open: { drop(): Promise<void> }[] = [];
beforeAll(async () => {
  if (process.env['PROOFMARK_WRITE_DUMPS'] === undefined) return;
  for (const version of versions) if (!existsSync(dumpOf(version))) await writeDump(version);
});
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop();
});

function dumpOf(version: number): string {
  const name = `${String(version).padStart(4, '0')}.backup`;
  const folder = '../../../../harness/src/schema-dumps/';
  return fileURLToPath(new URL(folder + name, import.meta.url));
}

async function emptyDatabase(): Promise<string> {
  const database = await createEmptyDatabase();
  open.push(database);
  return database.url;
}

async function loadDump(url: string, version: number): Promise<VerifiedBackup> {
  const verified = await verifyBackup(dumpOf(version), latestMigration);
  await connect(url, (client) =>
    restoreFrom(client, verified, { migrate: migrateWithin, refuse: refuseBeforeBaseLine }),
  );
  return verified;
}

async function writeDump(version: number): Promise<void> {
  const database = await createEmptyDatabase();
  try {
    if (version > 1) await loadDump(database.url, version - 1);
    await migrate(database.url, version);
    const rows = rowsOfVersions[version] ?? '';
    await connect(database.url, (client) => client.query(`set search_path = proofmark; ${rows}`));
    await backupTo(database.url, dumpOf(version));
  } finally {
    await database.drop();
  }
}

async function missingDumps(chain: readonly Migration[]): Promise<string[]> {
  const found = await Promise.all(
    chain.map(async ({ name }, index) => {
      const version = index + 1;
      if (!existsSync(dumpOf(version)))
        return [`There is no dump of migration ${version} (${name}).`];
      const { header, summary } = await verifyBackup(dumpOf(version), chain.length);
      const empty = summary.tables.filter(({ rows }) => rows === 0).map((table) => table.name);
      return [
        ...(header.migration === version ? [] : [`${dumpOf(version)} is of ${header.migration}.`]),
        ...empty.map(
          (table) => `The dump of migration ${version} (${name}) has no row in ${table}.`,
        ),
      ];
    }),
  );
  return found.flat();
}

test('there is a dump of every version, with rows in every table', async () => {
  expect(await missingDumps(migrations)).toEqual([]);
});

test('a migration that is added without a dump is found', async () => {
  const added = [...migrations, { name: 'added', sql: 'create table added (id text)' }];
  expect(await missingDumps(added)).toEqual([
    `There is no dump of migration ${added.length} (added).`,
  ]);
});

test('a migration that follows finds the rows of the base line', async () => {
  const url = await emptyDatabase();
  await loadDump(url, 1);
  const sql = `alter table eval_suites add column renamed text;
    update eval_suites set renamed = name || ' 2'`;
  const { applied } = await migrate(url, 2, [...migrations.slice(0, 1), { name: 'added', sql }]);
  expect(applied).toEqual(['added']);
  const { rows } = await connect(url, (client) =>
    client.query('select renamed from proofmark.eval_suites'),
  );
  expect(rows).toEqual([{ renamed: 'Questions 2' }]);
});

test(
  'data of each version comes to the next one in place',
  {
    timeout: 300_000,
  },
  () => upgradeFrom(versions),
);

async function upgradeFrom(some: readonly number[]): Promise<void> {
  const url = await emptyDatabase();
  for (const version of some) {
    const { summary } = await loadDump(url, version);
    await migrate(url, Math.min(version + 1, latestMigration));
    await connect(url, (client) => expectRows(client, summary));
  }
  await connect(url, (client) => expectContents(client, latestMigration));
}

/**
 * A restore migrates a backup of any version directly to the latest version, so every version is
 * tested.
 */
test.each(versions)('a backup of version %i is restored over newer data', async (version) => {
  const url = await emptyDatabase();
  await loadDump(url, latestMigration);
  await restoreBackup(url, dumpOf(version));
  const { summary } = await verifyBackup(dumpOf(version), latestMigration);
  await connect(url, async (client) => {
    await expectRows(client, summary);
    await expectContents(client, version);
  });
});

test('a backup is restored into a database of which the first migration was killed', async () => {
  const url = await emptyDatabase();
  await migrate(url, 0);
  await restoreBackup(url, dumpOf(1));
  await connect(url, (client) => expectContents(client, 1));
});

/**
 * Tables that may lose rows: a restore deletes sessions and links that did not exist just before
 * the restore.
 */
const mayShrink = ['sessions', 'sign_in_links'];

async function expectRows(client: pg.Client, { tables }: VerifiedBackup['summary']): Promise<void> {
  const { rows: there } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'proofmark'::regnamespace`,
  );
  const names = new Set(there.map(({ name }) => name));
  const kept = tables.filter(({ name }) => names.has(name) && !mayShrink.includes(name));
  const counts = kept.map(({ name }) => `select '${name}' as name, count(*)::int from ${name}`);
  await client.query('set search_path = proofmark');
  const { rows: counted } = await client.query(counts.join(' union all '));
  const countOf = new Map(counted.map(({ name, count }) => [name, count]));
  for (const { name, rows } of kept) {
    expect(countOf.get(name), `rows of ${name}`).toBeGreaterThanOrEqual(rows);
  }
}

async function expectContents(client: pg.Client, version: number): Promise<void> {
  const { rows: ledger } = await client.query('select max(number) from proofmark.migrations');
  expect(ledger[0].max).toBe(latestMigration);
  await client.query('set search_path = proofmark');
  const result = await client.query(contents);
  expect(result.rows.map(({ line }) => line)).toEqual(
    contentsSince.filter(([since]) => since <= version).map(([, line]) => line),
  );
}

const contents = `
  select line from (
    select 1 as since, 'key ' || api_keys.name || ' of ' || email || case when revoked_at is null then '' else ' revoked' end as line
      from api_keys join accounts on accounts.id = account_id
    union all select 1, 'server ' || servers.name || ' of ' || projects.name || ' ' || encode(sealed_headers, 'hex')
      from servers join projects on projects.id = project_id
    union all select 1, 'trial ' || title || ' ' || iteration_number || ' ' || status || ' ' || coalesce(result, 'open')
      || coalesce(' ' || config, '') || coalesce(' ' || told.trace, '')
      from eval_iterations trial
      left join evaluation_configs on hash = config_hash
      left join eval_traces told using (run_id, ordinal)
    union all select 1, 'waiver ' || reason || ' over ' || run_number from gate_waivers join eval_runs on eval_runs.id = run_id
    union all select 1, 'tokens ' || encode(sealed_tokens, 'hex') from oauth_grants
    union all select 1, 'client ' || clients.name || ' ' || config from clients join client_configs on client_configs.id = config_id
    union all select 1, 'environment ' || name from environments
    union all select 1, 'work ' || kind || ' ' || number || ' of ' || run_number
      from leased_work join eval_runs on eval_runs.id = group_id
    union all select 1, 'tools ' || tools from listed_tools
    union all select 1, 'judged ' || reason from eval_judgements
    union all select 3, 'results ' || results || ' of ' || variants from graded_runs
    union all select 4, 'quarantine ' || case_ref || ' of ' || owner from quarantine_entries
  ) told order by since, line collate "C"`;

const contentsSince: readonly (readonly [number, string])[] = [
  [1, 'client Desk {"model":"proofmark/lexical-1"}'],
  [1, 'environment Staging'],
  [1, 'judged It said the price.'],
  [1, 'key in use of owner@acme.example'],
  [1, 'key revoked of member@acme.example revoked'],
  [1, 'server Bookshop of Default 0506'],
  [1, 'tokens 0a'],
  [1, 'tools ["price"]'],
  [1, 'trial Asks for a price 1 completed passed {"scorers":[]} {"messages":[]}'],
  [1, 'trial Asks for a price 2 completed failed'],
  [1, 'trial Open 1 pending open'],
  [1, 'trial Open 2 pending open'],
  [1, 'waiver Known outage over 1'],
  [1, 'work eval-judgements 1 of 2'],
  [1, 'work eval-trials 1 of 2'],
  [1, 'work eval-trials 2 of 2'],
  [3, 'results 1:10 of [["cas_1", "proofmark/lexical-1", null, "hash", "hash"]]'],
  [4, 'quarantine cse_1 of Olga'],
  [4, 'quarantine price of Mika'],
];

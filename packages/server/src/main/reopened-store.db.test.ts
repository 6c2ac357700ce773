import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { restoreBackup } from '@proofmark/harness/restore-backup.ts';
import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataUsers, lockDataForRestore } from '../platform/backup/lock-data-for-restore.ts';
import { changeKey } from '../platform/keys/change-key.ts';
import { migrationLock } from '../platform/migrations/migrate.ts';
import { deriveKeys } from '../platform/vault/derived-keys.ts';
import { keepWorking } from './keep-working.ts';
import { type LastVault, openStore, type Store } from './open-store.ts';
import { sealedColumns } from './sealed-columns.ts';
import { resolveSettings } from './settings.ts';

const olderBackup = fileURLToPath(
  new URL('../../../harness/src/schema-dumps/0001.backup', import.meta.url),
);
const secretKey = randomBytes(32);
const log = { info() {}, warn() {}, error() {} };
let database: { url: string; drop(): Promise<void> };
let client: pg.Client;
beforeEach(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const settings = () =>
  resolveSettings(
    {},
    {
      PROOFMARK_DATABASE_URL: database.url,
      PROOFMARK_SECRET_KEY: secretKey.toString('hex'),
    },
  ).settings;

/** Restores an older backup that contains no encrypted data. The caller must hold the data lock. */
async function restoreOlder(): Promise<void> {
  // Makes the database look newer than the backup, so that the restore creates all tables again.
  await client.query(
    "insert into proofmark.migrations (number, name) values (1000, 'newer') on conflict do nothing",
  );
  await restoreBackup(database.url, olderBackup);
  await client.query('delete from proofmark.key_changes');
  await client.query(
    `update proofmark.installation
    set key_fingerprint = $1, sealing_key_id = null, sealed_lasting_secrets = null`,
    [deriveKeys(secretKey).fingerprint],
  );
}

async function letOthersGoOn(): Promise<void> {
  await client.query('select pg_advisory_unlock_all()');
}

const readAsService = (store: Store) =>
  store.database.callers`select count(*)::int as count from accounts`;

test('a database of before the base line is refused before anything is made in it', async () => {
  await client.query(`create schema proofmark;
    create table proofmark.migrations (number integer primary key, name text not null);
    insert into proofmark.migrations values (1, 'identity')`);
  await expect(openStore(settings(), database)).rejects.toThrow(/from before 0\.1\.0/);
  const { rows } = await client.query(
    "select nspname::text as name from pg_namespace where nspname !~ '^pg_' order by nspname",
  );
  expect(rows.map(({ name }) => name)).toEqual(['information_schema', 'proofmark', 'public']);
  const kept = await client.query(
    "select relname::text as name from pg_class where relnamespace = 'proofmark'::regnamespace and relkind = 'r'",
  );
  expect(kept.rows).toEqual([{ name: 'migrations' }]);
});

test('a key that was heard of while working is known at the next start, though the environment names the one before', async () => {
  const last: LastVault = {};
  const store = await openStore(settings(), database, {}, undefined, last);
  await changeKey(store.owner, {
    columns: sealedColumns,
    newKey: randomBytes(32),
    keepKey() {},
    noticeMs: 0,
  });
  const { lasting } = store.database.vault;
  await store.close();
  await expect(openStore(settings(), database)).rejects.toThrow('another key');
  const again = await openStore(settings(), database, {}, undefined, last);
  expect(again.database.vault.lasting).toEqual(lasting);
  await again.close();
});

test('the data is let go of though something could not be closed', async () => {
  const store = await openStore(settings(), database);
  expect(await dataUsers(client)).toHaveLength(1);
  const { close } = store.database;
  Object.assign(store.database, {
    async close() {
      await close();
      throw new Error('cannot be closed');
    },
  });
  await expect(store.close()).rejects.toThrow('cannot be closed');
  expect(await dataUsers(client)).toEqual([]);
});

test('a backup of an older version is restored beside a store that works, which goes on with it', async () => {
  const kept = await keepWorking({
    log: log as never,
    async start(lockOptions) {
      const store = await openStore(settings(), database, lockOptions);
      return { store, stop: () => store.close() };
    },
  });
  await lockDataForRestore(client);
  await restoreOlder();
  await letOthersGoOn();
  await expect.poll(() => kept.current() ?? kept.first, { timeout: 20_000 }).not.toBe(kept.first);
  expect(await readAsService(kept.current()?.store as Store)).toEqual([{ count: 2 }]);
  await kept.settle();
  await kept.current()?.stop();
});

test('a first start that a restore of an older backup comes between goes on with it', async () => {
  await client.query('select pg_advisory_lock($1)', [migrationLock]);
  let waits: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    waits = resolve;
  });
  const opening = openStore(settings(), database, { waits });
  await expect.poll(() => dataUsers(client), { timeout: 5000 }).toHaveLength(1);
  await client.query('select pg_advisory_unlock($1)', [migrationLock]);
  await lockDataForRestore(client);
  await waiting;
  await restoreOlder();
  await letOthersGoOn();
  const store = await opening;
  expect(await readAsService(store)).toEqual([{ count: 2 }]);
  await store.close();
});

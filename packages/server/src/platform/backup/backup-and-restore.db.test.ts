import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { memoryFolder } from '@proofmark/harness/memory-folder.ts';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import { createEmptyDatabase } from '@proofmark/harness/test-database.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../database/connect.ts';
import { refuseBeforeBaseLine } from '../migrations/migrate.ts';
import { BackupRefused, FrameWriter, formatName, formatVersion } from './backup-format.ts';
import { backupTo } from './backup-to.ts';
import { type RestoreOptions, restoreFrom, verifyBackup } from './restore-from.ts';

/** Several times as many rows as PostgreSQL sends in one piece. */
const manyRows = 20_000;
/** Enough rows to give other transactions time to write while a backup is running. */
const rowsOfALongBackup = 100_000;
let directory: TemporaryDirectory;
let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
/**
 * Prefixes the names of all created roles and databases, since other tests use the same cluster.
 */
const prefix = `backup_${randomBytes(6).toString('hex')}`;
const owner = `${prefix}_owner`;
const made: string[] = [];
let file: string;
let count = 0;

beforeAll(async () => {
  directory = temporaryDirectory(0o711, memoryFolder());
  database = await createEmptyDatabase();
  await run(database.url, `create role ${owner} login password 'owner'`);
});
afterAll(async () => {
  for (const name of made) await run(database.url, `drop database ${name} with (force)`);
  await run(database.url, `drop role ${owner}`);
  await database.drop();
  directory.remove();
});
beforeEach(() => {
  count += 1;
  file = join(directory.path, `backup-${count}`);
});

describe.each(['superuser', 'owner of the tables only'])('as %s', (role) => {
  let source: string;
  let target: string;
  beforeEach(async () => {
    source = await newDatabase(role);
    target = await newDatabase(role);
  });

  test('everything comes back as it was, references and numbering included', async () => {
    await migrateTo(source, 2);
    await fill(source);
    const report = await backupTo(source, file);
    expect(report).toMatchObject({ migration: 2, rows: manyRows + 6 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory.path).filter((name) => name.includes('unfinished'))).toEqual([]);

    const restored = await restore(target, file);
    expect(restored.tables).toEqual(report.tables);
    expect(await fingerprint(target)).toEqual(await fingerprint(source));
    expect(await run(target, 'select count(*)::int from proofmark.buckets')).toBe(0);
    const next = 'insert into proofmark.things (name) values ($$new$$) returning id::int';
    expect(await run(target, next)).toBe(8);
    await expect(
      run(target, 'insert into proofmark.parts (thing) values (999999)'),
    ).rejects.toThrow(/foreign key/);
    expect(await run(target, 'select count(*)::int from proofmark.trail')).toBe(1);
  });

  test('what was there before is replaced, and the schema may be newer than the backup', async () => {
    await migrateTo(source, 1);
    await run(source, "insert into proofmark.things (name) values ('from the backup')");
    await backupTo(source, file);
    await migrateTo(target, 3);
    await fill(target);
    await restore(target, file);
    expect(await run(target, 'select max(number) from proofmark.migrations')).toBe(1);
    expect(await run(target, 'select count(*)::int from proofmark.things')).toBe(1);
    expect(await run(target, "select to_regnamespace('proofmark_before_restore')")).toBeNull();
    await migrateTo(target, 3);
    expect(await run(target, 'select name from proofmark.things')).toBe('from the backup');
  });

  test('a restore that fails half way leaves everything as it was, in an equal and in a newer schema', async () => {
    await migrateTo(source, 2);
    await fill(source);
    await backupTo(source, file);
    for (const migration of [2, 3]) {
      const url = await newDatabase(role);
      await migrateTo(url, migration);
      await run(url, "insert into proofmark.things (name) values ('kept')");
      // This check makes the restore of the last table fail, after all other tables are loaded.
      const check = "alter table proofmark.things add check (name <> 'ключ')";
      await run(url, check);
      const migrate: RestoreOptions['migrate'] = async (client, upTo) => {
        await migrateWithin(client, upTo);
        await client.query(check);
      };
      await expect(restore(url, file, { migrate })).rejects.toThrow(/check constraint/);
      expect(await run(url, 'select string_agg(name, $$,$$) from proofmark.things')).toBe('kept');
      expect(await run(url, 'select max(number) from proofmark.migrations')).toBe(migration);
      const id = 'insert into proofmark.things (name) values ($$x$$) returning id::int';
      expect(await run(url, id)).toBe(2);
    }
  });
});

test('a restore that was killed is undone by the next one', async () => {
  const source = await newDatabase('superuser');
  await migrateTo(source, 1);
  await backupTo(source, file);
  const target = await newDatabase('superuser');
  await migrateTo(target, 3);
  await run(target, "insert into proofmark.things (name) values ('kept')");
  await run(target, 'alter schema proofmark rename to proofmark_before_restore');
  await migrateTo(target, 1);
  const migrate = async () => {
    throw new Error('no migration today');
  };
  await expect(restore(target, file, { migrate })).rejects.toThrow('no migration');
  expect(await run(target, 'select name from proofmark.things')).toBe('kept');
});

test('data of before the base line that a killed restore has set aside is refused and stays there', async () => {
  const source = await newDatabase('superuser');
  await migrateTo(source, 1);
  await backupTo(source, file);
  const target = await newDatabase('superuser');
  await migrateTo(target, 3);
  await run(target, "insert into proofmark.things (name) values ('kept')");
  await run(target, 'alter schema proofmark rename to proofmark_before_restore');
  const remember = async () => {
    throw new Error('it was read as data of today');
  };
  await expect(restore(target, file, { refuse: refuseBeforeBaseLine, remember })).rejects.toThrow(
    /from before 0\.1\.0.*Nothing in it was changed/,
  );
  expect(await run(target, 'select name from proofmark_before_restore.things')).toBe('kept');
  expect(await run(target, "select to_regnamespace('proofmark')")).toBeNull();
});

test('a backup taken while others write is of one moment', async () => {
  const source = await newDatabase('superuser');
  await migrateTo(source, 2);
  await fill(source, rowsOfALongBackup);
  await run(source, 'update proofmark.things set balance = 1000');
  const total = await run(source, 'select sum(balance)::int from proofmark.things');
  let writes = 0;
  let writing = true;
  const writer = (async () => {
    const client = new pg.Client({ connectionString: source });
    await client.connect();
    while (writing) {
      // Each transaction moves an amount between two tables and adds a part, so the sums are right
      // only if a backup contains whole transactions.
      await client.query(`
        begin;
        update proofmark.things set balance = balance - 1 where id = 1;
        update proofmark.pots set balance = balance + 1;
        insert into proofmark.parts (thing) values (1);
        commit;`);
      writes += 1;
    }
    await client.end();
  })();
  await expect.poll(() => writes).toBeGreaterThan(20);
  const before = writes;
  await backupTo(source, file);
  const during = writes - before;
  writing = false;
  await writer;
  expect(during).toBeGreaterThan(5);

  const target = await newDatabase('superuser');
  await restore(target, file);
  const moved = (await run(target, 'select sum(balance)::int from proofmark.pots')) as number;
  expect(moved).toBeGreaterThanOrEqual(before);
  expect(await run(target, 'select sum(balance)::int from proofmark.things')).toBe(
    (total as number) - moved,
  );
  expect(await run(target, 'select count(*)::int from proofmark.parts')).toBe(
    rowsOfALongBackup + moved,
  );
});

describe('a file that cannot be restored is refused before anything changes', () => {
  let url: string;
  let good: Buffer;
  let migrations: number;
  beforeAll(async () => {
    url = await newDatabase('superuser');
    await migrateTo(url, 2);
    await run(url, "insert into proofmark.things (name) values ('kept')");
    const whole = join(directory.path, 'whole');
    await backupTo(url, whole);
    good = readFileSync(whole);
  });
  beforeEach(() => {
    migrations = 0;
  });
  afterEach(async () => {
    expect(migrations).toBe(0);
    expect(await run(url, 'select string_agg(name, $$,$$) from proofmark.things')).toBe('kept');
  });
  const restoreContent = (content: Buffer, latest = 2) => {
    writeFileSync(file, content);
    const migrate = async () => {
      migrations += 1;
    };
    return restore(url, file, { migrate }, latest);
  };
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => 'it was restored',
      (error: unknown) => (error instanceof BackupRefused ? error.message : `other: ${error}`),
    );

  test('every truncation', async () => {
    for (let length = 0; length < good.length; length += 7) {
      expect(await refusal(restoreContent(good.subarray(0, length)))).toMatch(
        /is damaged or incomplete|is not a Proofmark backup/,
      );
    }
  });

  test('every flipped byte, in the file and inside its gzip', async () => {
    const plain = gunzipSync(good);
    let tried = 0;
    // Bytes 4 to 9 of a gzip file contain a date and an operating system. A restore does not check
    // them, so the test skips them.
    for (let at = 10; at < good.length; at += 1) {
      const flipped = flip(good, at);
      // A flipped padding bit, or the code length of a symbol that does not occur, does not change
      // the unpacked content. How many such bits there are depends on the content.
      if (unpacked(flipped)?.equals(plain)) continue;
      tried += 1;
      expect(await refusal(restoreContent(flipped))).toMatch(/is damaged|is not a Proofmark/);
    }
    expect(tried).toBeGreaterThan(good.length * 0.9);
    for (let at = 0; at < plain.length; at += 5) {
      expect(await refusal(restoreContent(gzipSync(flip(plain, at))))).toMatch(
        /is damaged|is not a Proofmark|a newer format|from before 0/,
      );
    }
  });

  test('one that is not ours', async () => {
    const foreign = /is not a Proofmark backup: use a file that "proofmark backup" has written\.$/;
    expect(await refusal(restoreContent(Buffer.from('select 1;')))).toMatch(foreign);
    expect(await refusal(restoreContent(gzipSync('select 1;')))).toMatch(foreign);
    await expect(
      restore(url, join(directory.path, 'none'), { migrate: async () => {} }),
    ).rejects.toThrow(/^There is no file /);
  });

  test('one of a newer migration or a newer form', async () => {
    expect(await refusal(restoreContent(good, 1))).toMatch(
      /is at migration 2 and this Proofmark only knows migrations up to 1/,
    );
    expect(await refusal(restoreContent(ofForm(formatVersion + 1)))).toMatch(
      /newer format than this Proofmark can read/,
    );
  });

  test('one of before the base line, though its number is one of today', async () => {
    expect(await refusal(restoreContent(ofForm(1)))).toMatch(
      /before 0\.1\.0, which this version cannot restore, so nothing was changed: restore it with the version/,
    );
  });

  const ofForm = (version: number) =>
    gzipSync(
      new FrameWriter().json('H', { format: formatName, version, migration: 1, createdAt: '' }),
    );
});

test('a backup that cannot be taken says why and leaves no file', async () => {
  const url = await newDatabase('superuser');
  await expect(backupTo(url, file)).rejects.toThrow(/holds no Proofmark data yet/);
  await migrateTo(url, 1);
  await expect(backupTo(url, join(file, 'missing'))).rejects.toThrow(
    /could not be written to .* \(ENOENT\)/,
  );
  expect(readdirSync(directory.path).filter((name) => name.startsWith(`backup-${count}`))).toEqual(
    [],
  );
});

const migrations = [
  `create table proofmark.things (
     id bigint generated always as identity primary key, name text not null, bytes bytea, document jsonb,
     ratio double precision, day date, at timestamptz, span interval, tags text[], balance int default 0,
     size int generated always as (length(name)) stored, best_part bigint, parent bigint references proofmark.things);
   create unlogged table proofmark.buckets (thing bigint references proofmark.things);`,
  `create table proofmark.parts (id bigserial primary key, thing bigint not null references proofmark.things on delete cascade, "Odd ""name""" text);
   alter table proofmark.things add foreign key (best_part) references proofmark.parts;
   create table proofmark.pots (balance int not null);
   insert into proofmark.pots values (0);
   create table proofmark.trail (name text);
   create function proofmark.leave_trail() returns trigger language plpgsql as
     $$ begin insert into proofmark.trail values (new.name); return new; end $$;
   create trigger trail after insert on proofmark.things for each row execute function proofmark.leave_trail();
   create policy none on proofmark.things using (false);
   alter table proofmark.things enable row level security;`,
  `create table proofmark.newer (id int primary key);
   alter table proofmark.things drop column ratio;`,
];

async function migrateTo(url: string, upTo: number): Promise<void> {
  await connect(url, (client) => migrateWithin(client, upTo));
}

async function migrateWithin(client: pg.Client, upTo: number): Promise<void> {
  await client.query(
    `create schema if not exists proofmark;
     create table if not exists proofmark.migrations (number int primary key, name text, applied_at timestamptz)`,
  );
  const { rows } = await client.query(
    'select coalesce(max(number), 0) as done from proofmark.migrations',
  );
  for (let number = rows[0].done + 1; number <= upTo; number += 1) {
    await client.query(migrations[number - 1] as string);
    await client.query(`insert into proofmark.migrations values (${number}, 'm', now())`);
  }
}

async function restore(
  url: string,
  from: string,
  options: Partial<RestoreOptions> = {},
  latest = 3,
) {
  const verified = await verifyBackup(from, latest);
  const all = { migrate: migrateWithin, refuse: async () => {}, ...options };
  return connect(url, (client) => restoreFrom(client, verified, all));
}

/**
 * Stores six things and deletes some, so that the next number of the sequence is not just the
 * highest id plus one. Also stores many parts.
 */
async function fill(url: string, parts = manyRows): Promise<void> {
  await run(
    url,
    `insert into proofmark.things (name, bytes, document, day, at, span, tags) values
       ('plain', null, null, null, null, null, null),
       (E'tab\\t, line\\n, return\\r, back\\\\slash, \\\\N', '\\x0001ff0a5c', '{"a": [1, null, "\\\\u00e9\\\\n"]}', '2026-02-28', '2026-11-15 03:04:05.678+00', '1 day 02:03:04', '{a,"b c",null}'),
       ('ключ', '\\x', '"🦉"', '0044-03-15 BC', 'infinity', '-1 mon', '{}'),
       ('', decode(repeat('00ff', 100000), 'hex'), 'null', null, null, null, null),
       ('child', null, '[]', null, null, null, null),
       ('deleted', null, null, null, null, null, null);
     update proofmark.things set parent = 1 where name = 'child';
     delete from proofmark.things where name = 'deleted';
     insert into proofmark.things (name) values ('later');
     delete from proofmark.things where name = 'later';
     truncate proofmark.trail;
     insert into proofmark.parts (thing, "Odd ""name""") select 1 + n % 5, 'part ' || n from generate_series(1, ${parts}) n;
     update proofmark.things set best_part = 5 where id = 1;
     insert into proofmark.buckets values (1);`,
  );
}

async function fingerprint(url: string): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const table of ['things', 'parts', 'pots', 'trail']) {
    const text = await run(
      url,
      `select string_agg(t::text, '|' order by t::text) from proofmark.${table} t`,
    );
    found.push(createHash('sha256').update(String(text)).digest('hex'));
  }
  const references = `select string_agg(conrelid::regclass || conname || pg_get_constraintdef(oid), '|' order by conname)
    from pg_constraint where connamespace = 'proofmark'::regnamespace`;
  found.push(await run(url, references));
  found.push(
    await run(
      url,
      "select string_agg(tgname || tgenabled::text, '|') from pg_trigger where not tgisinternal",
    ),
  );
  return found;
}

async function newDatabase(role: string): Promise<string> {
  count += 1;
  const asOwner = role !== 'superuser';
  const name = `${prefix}_${count}`;
  await run(
    database.url,
    `create database ${name} template template0 strategy file_copy ${asOwner ? `owner ${owner}` : ''}`,
  );
  made.push(name);
  const url = new URL(database.url);
  url.pathname = `/${name}`;
  if (asOwner) {
    url.username = owner;
    url.password = 'owner';
  }
  return url.href;
}

function unpacked(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] as number) ^ 0x10;
  return copy;
}

async function run(url: string, statement: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query({ text: statement, rowMode: 'array' });
    return rows?.[0]?.[0];
  } finally {
    await client.end();
  }
}

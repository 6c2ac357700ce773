import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@proofmark/harness/test-database.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect } from '../database/connect.ts';
import { urlForRole } from '../database/url-for-role.ts';
import { migrateQueue } from '../jobs/start-queue.ts';
import { migrate } from './migrate.ts';
import { serviceRoleOf } from './service-grants.ts';
import { prepareServiceRole, ServiceRoleRefused } from './service-role.ts';

const password = 'for-these-tests';
let cleanUp: (() => Promise<unknown>)[];
beforeEach(() => {
  cleanUp = [];
});
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
});

async function query(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  const result = await connect(url, (client) => client.query(statement));
  return ([result].flat().at(-1) as { rows: Record<string, unknown>[] }).rows;
}

async function migrated(): Promise<{ url: string; name: string; role: string }> {
  const database = await createTestDatabase();
  cleanUp.push(() => database.drop());
  const { url } = database;
  const name = new URL(url).pathname.slice(1);
  const role = serviceRoleOf(name);
  cleanUp.push(() => dropRole(url, role));
  return { url, name, role };
}

async function dropRole(url: string, role: string): Promise<void> {
  const [found] = await query(url, `select from pg_roles where rolname = '${role}'`);
  if (found) await query(url, `drop owned by "${role}"; drop role "${role}"`);
}

async function makeRole(url: string, attributes: string): Promise<{ name: string; url: string }> {
  const name = `hand_${randomBytes(5).toString('hex')}`;
  await query(url, `create role ${name} login password '${password}' ${attributes}`);
  cleanUp.push(async () => {
    await query(url, `reassign owned by ${name} to current_user`);
    await dropRole(url, name);
  });
  return { name, url: urlForRole(url, { name, password }) };
}

async function refused(asked: Promise<unknown>): Promise<string> {
  const error = await asked.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ServiceRoleRefused);
  return (error as Error).message;
}

describe('the session of the service', () => {
  test('is of a role that carries the name of the database, and can become nobody else', async () => {
    const { url, name, role } = await migrated();
    const service = await prepareServiceRole(url, { password });
    const [who] = await query(
      service,
      `select current_user as name, session_user as signed_in, rolsuper, rolbypassrls, rolcreaterole
      from pg_roles where rolname = current_user`,
    );
    expect(role).toBe(`proofmark_service_${name}`);
    expect(who).toEqual({
      name: role,
      signed_in: role,
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
    });
    for (const attempt of [
      'set role proofmark',
      'set session authorization proofmark',
      'alter role current_user superuser',
      'create role mightier superuser',
      'alter table proofmark.servers disable row level security',
      'create table proofmark.mine (n int)',
    ]) {
      await expect(query(service, attempt), attempt).rejects.toThrow(/permission denied|must be/);
    }
    await query(service, 'reset role; reset session authorization');
    expect(await query(service, 'select from proofmark.servers')).toEqual([]);
    // The queue's tables also have row-level security, so grants alone would not make these
    // statements work.
    await query(service, `select graphile_worker.add_job('x', '{}'::json)`);
    expect(await query(service, 'select key from graphile_worker._private_jobs')).toHaveLength(1);
  });

  test('of one installation reads nothing of another on the same server', async () => {
    const [one, other] = [await migrated(), await migrated()];
    await prepareServiceRole(one.url, { password });
    await prepareServiceRole(other.url, { password });
    const astray = urlForRole(other.url, { name: one.role, password });
    await expect(query(astray, 'select from proofmark.accounts')).rejects.toThrow(
      'permission denied',
    );
  });

  test('goes on when another process starts, and gets the password of a new key', async () => {
    const { url } = await migrated();
    const first = await prepareServiceRole(url, { password });
    expect(await prepareServiceRole(url, { password })).toBe(first);
    await query(first, 'select 1');
    const next = await prepareServiceRole(url, { password: 'another' });
    await query(next, 'select 1');
    await expect(query(first, 'select 1')).rejects.toThrow('password');
  });

  test('is prepared once by processes that start together', async () => {
    const { url } = await migrated();
    const together = Array.from({ length: 6 }, () => prepareServiceRole(url, { password }));
    expect(new Set(await Promise.all(together)).size).toBe(1);
  });

  test('reads tables that come with a later version', async () => {
    const { url } = await migrated();
    const service = await prepareServiceRole(url, { password });
    await query(url, 'drop schema proofmark cascade');
    await migrate(url);
    expect(await query(service, 'select from proofmark.accounts')).toEqual([]);
  });

  test('long names of databases make different roles', () => {
    const names = ['a', 'b'].map((end) => serviceRoleOf(`${'x'.repeat(60)}${end}`));
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(63);
  });
});

describe('a database without the rights', () => {
  test('is refused with the statements that give them, and these do', async () => {
    const { url, name, role } = await migrated();
    const owner = await makeRole(url, '');
    await query(url, `drop schema proofmark cascade; drop schema graphile_worker cascade`);
    await query(url, `alter database ${name} owner to ${owner.name}`);
    cleanUp.push(() => query(url, `alter database ${name} owner to current_user`));
    await migrate(owner.url);
    await migrateQueue(owner.url);
    const message = await refused(prepareServiceRole(owner.url, { password }));
    const statement = `alter role "${owner.name}" createrole;`;
    expect(message).toContain(statement);
    expect(message).toContain(`create role "${role}" login noinherit`);
    expect(message).toContain('PROOFMARK_SERVICE_DATABASE_URL');
    await query(url, statement);
    const service = await prepareServiceRole(owner.url, { password });
    expect(await query(service, 'select from proofmark.accounts')).toEqual([]);
  });

  test('may have a role that was made by hand', async () => {
    const { url } = await migrated();
    const hand = await makeRole(url, 'noinherit');
    expect(await prepareServiceRole(url, { url: hand.url })).toBe(hand.url);
    expect(await query(hand.url, 'select from proofmark.accounts')).toEqual([]);
  });

  test.each([
    ['a superuser', 'superuser', (name: string) => `alter role "${name}" nosuperuser`],
    ['one that passes by policies', 'bypassrls', (name: string) => `alter role "${name}" nosuper`],
    [
      'a member of a mighty role',
      'in role pg_read_all_data',
      (name: string) => `revoke "pg_read_all_data" from "${name}"`,
    ],
  ])('is never served by %s', async (_who, attributes, statement) => {
    const { url } = await migrated();
    const hand = await makeRole(url, attributes);
    const message = await refused(prepareServiceRole(url, { url: hand.url }));
    expect(message).toContain(statement(hand.name));
  });

  test('is never served by its owner', async () => {
    const { url } = await migrated();
    await refused(prepareServiceRole(url, { url }));
  });
});

test('the role that all installations had in common loses its rights', async () => {
  const { url } = await migrated();
  const [had] = await query(url, `select from pg_roles where rolname = 'proofmark_app'`);
  if (had === undefined) await query(url, 'create role proofmark_app nologin');
  await query(url, 'grant usage on schema proofmark to proofmark_app');
  await query(url, 'grant select on all tables in schema proofmark to proofmark_app');
  await prepareServiceRole(url, { password });
  await expect(
    query(url, 'set role proofmark_app; select from proofmark.accounts'),
  ).rejects.toThrow('permission denied');
  if (had === undefined) await query(url, 'drop role proofmark_app');
});

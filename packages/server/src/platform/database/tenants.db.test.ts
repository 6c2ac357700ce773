/** Row-level security: the database itself rejects a query that forgets to set its tenant. */

import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const tables = ['projects', 'project_members', 'servers', 'eval_suites', 'chat_sessions'];
let service: TestService;
let mine: Tenant;
let theirs: Tenant;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  await service.owner.sql`
    insert into project_members (organization_id, project_id, account_id, tier)
    values (${mine.organizationId}, ${mine.projectId}, ${mine.accountId}, 'admin'),
      (${theirs.organizationId}, ${theirs.projectId}, ${theirs.accountId}, 'admin')`;
});
afterAll(() => service.stop());

describe('row-level security', () => {
  test('covers every table that belongs to an organization', async () => {
    const rows = await service.owner.sql<{ tableName: string; secured: boolean }[]>`
      select columns.table_name, pg_class.relrowsecurity as secured
      from information_schema.columns
      join pg_class on pg_class.oid = ('proofmark.' || columns.table_name)::regclass
      where table_schema = 'proofmark' and column_name = 'organization_id'`;
    const open = rows.filter((row) => !row.secured).map((row) => row.tableName);
    // These two tables are read before the tenant of a request is known, to find its caller.
    expect(open.sort()).toEqual(['api_keys', 'memberships']);
  });

  test.each(tables)('%s: a query without a tenant finds nothing', async (table) => {
    const { sql } = service.database;
    expect(await sql`select 1 from ${sql(table)}`).toHaveLength(0);
    expect((await service.owner.sql`select 1 from ${sql(table)}`).length).toBeGreaterThanOrEqual(2);
  });

  test.each(tables)('%s: a query with a tenant finds that tenant’s rows alone', async (table) => {
    const rows = await service.database.tenant(
      [mine.organizationId],
      (sql) => sql<{ organizationId: string }[]>`select organization_id from ${sql(table)}`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map((row) => row.organizationId))).toEqual(new Set([mine.organizationId]));
  });

  test('a write into another tenant is refused, and one on its rows touches none', async () => {
    await expect(
      service.database.tenant(
        [mine.organizationId],
        (sql) => sql`
        insert into projects (id, organization_id, name, visibility) values ('prj_x', ${theirs.organizationId}, 'x', 'public')`,
      ),
    ).rejects.toThrow('row-level security');
    const touched = await service.database.tenant(
      [mine.organizationId],
      (sql) => sql`update servers set name = 'x' where id = ${theirs.serverId}`,
    );
    expect(touched.count).toBe(0);
  });

  test('the tenant ends with its transaction', async () => {
    await service.database.tenant([mine.organizationId], (sql) => sql`select 1 from projects`);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await service.database.sql`select 1 from projects`).toHaveLength(0);
    }
  });

  test('the service works as a role that owns nothing and may not pass by the policies', async () => {
    const [role] = await service.database.sql`
      select rolsuper, rolbypassrls, (select count(*)::int from pg_class where relowner = pg_roles.oid) as owned
      from pg_roles where rolname = current_user`;
    expect(role).toMatchObject({ rolsuper: false, rolbypassrls: false, owned: 0 });
    await expect(service.database.sql`select 1 from migrations`.then(() => 'read')).rejects.toThrow(
      'permission denied',
    );
  });
});

describe('secrets at rest', () => {
  test('neither column nor any text of the row holds them in the clear', async () => {
    const rows = await service.owner
      .sql`select servers::text as all_columns, sealed_headers, sealed_client_secret from servers`;
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const row of rows) {
      expect(row['allColumns']).not.toContain('canary');
      expect(String(row['sealedHeaders'])).not.toContain('canary');
      expect(row['sealedClientSecret']).toBeInstanceOf(Uint8Array);
    }
  });

  test('no key, session or link is stored as it was given', async () => {
    const [row] = await service.owner
      .sql`select api_keys::text as all_columns, hash from api_keys where id = ${mine.keyId}`;
    expect(row?.['allColumns']).not.toContain(mine.key);
    expect(row?.['hash']).toHaveLength(32);
  });
});

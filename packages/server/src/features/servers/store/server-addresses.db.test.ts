/**
 * Tests that unsealed addresses from earlier versions are removed from the database files too, even
 * if a start of the service is interrupted.
 */
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../../platform/database/connect.ts';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import { forgetOldAddresses, sealOldAddresses } from './server-addresses.ts';

let database: TestDatabase;
let starting: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.owner.sql.unsafe(`
    do $$ begin execute format('alter database %I set lock_timeout = 100', current_database()); end $$;
    insert into organizations (id, name) values ('org_1', 'One');
    insert into projects (id, organization_id, name, visibility) values ('prj_1', 'org_1', 'One', 'public');
    insert into servers (id, organization_id, project_id, name, enabled, transport_type, url)
      values ('srv_1', 'org_1', 'prj_1', 'Old', true, 'http', 'https://mcp.example/?key=s3cret')`);
  const { url, vault } = database;
  starting = openDatabase({ url, vault, as: 'owner', maxConnections: 1 });
});
afterAll(async () => {
  await starting.close();
  await database.drop();
});

test('what a start could not write out, the next one does', async () => {
  const file = async () => {
    const [found] = await starting.sql`select pg_relation_filenode('servers') as file`;
    return found?.['file'];
  };
  const before = await file();
  expect(await forgetOldAddresses(starting), 'nothing is to be done yet').toBe(true);
  expect(await sealOldAddresses(starting)).toBe(1);
  await connect(database.url, async (reader) => {
    await reader.query('begin; lock table proofmark.servers in access share mode');
    expect(await forgetOldAddresses(starting)).toBe(false);
  });
  expect(await file()).toBe(before);
  expect(await sealOldAddresses(starting)).toBe(0);
  expect(await forgetOldAddresses(starting)).toBe(true);
  const after = await file();
  expect(after).not.toBe(before);
  await forgetOldAddresses(starting);
  expect(await file(), 'once is enough').toBe(after);
});

/**
 * Deleting a row searches every table that refers to it; without an index there, each search reads
 * the whole table.
 */
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

/** Rows of these tables are never deleted, so no delete searches for references to them. */
const toWhatStays = ['accounts', 'organizations', 'memberships', 'client_configs'];

test('every foreign key to what can be deleted has an index that finds its few rows', async () => {
  // The index must begin with a column of the foreign key other than the organization, since that
  // column alone would match all rows of an organization.
  const rows = await store.owner.sql<{ key: string; target: string }[]>`
    with keys as (
      select conrelid, confrelid::regclass::text as target, conkey, (
          select array_agg(attnum) from pg_attribute
          where attrelid = conrelid and attnum = any (conkey) and attname <> 'organization_id') as telling
      from pg_constraint where contype = 'f' and connamespace = 'proofmark'::regnamespace)
    select conrelid::regclass || ' (' || (
        select string_agg(attname, ', ' order by place) from unnest(conkey) with ordinality as part (number, place)
        join pg_attribute on attrelid = conrelid and attnum = part.number) || ')' as key, target
    from keys where not exists (
      select from pg_index where indrelid = conrelid and indisvalid and indpred is null
        and (indkey[0] = any (telling) or (indkey[0] = any (conkey) and indkey[1] = any (telling))))
    order by 1`;
  const missing = rows.filter(({ target }) => !toWhatStays.includes(target));
  expect(missing).toEqual([]);
});

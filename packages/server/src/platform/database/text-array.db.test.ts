import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

const text = fc
  .string({ unit: 'grapheme' })
  .filter((one) => !one.includes('\0') && one.isWellFormed());

test('a list of any texts comes back from PostgreSQL as it went there', async () => {
  const { sql } = store.database;
  const tricky = [
    '',
    ' ',
    'NULL',
    'null',
    '{}',
    '"',
    '\\',
    'a,b',
    '\\"',
    'line\nbreak',
    '{"a"}',
    'ü 検索',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, fc.constantFrom(...tricky))), async (texts) => {
      const [row] = await sql<{ texts: string[]; size: number }[]>`
        select ${texts}::text[] as texts, cardinality(${texts}::text[]) as size`;
      expect(row).toEqual({ texts, size: texts.length });
    }),
    { numRuns: 200 },
  );
});

test('lists are written to rows and matched against', async () => {
  const { sql } = store.owner;
  const account =
    await sql`insert into accounts (id, email, name) values ('acc_1', 'a@b.c', 'A') returning id`;
  expect(account).toHaveLength(1);
  expect(await sql`select id from accounts where id = any (${['acc_0', 'acc_1']})`).toHaveLength(1);
  expect(await sql`select id from accounts where id = any (${[]})`).toHaveLength(0);
  expect(await sql`select id from accounts where id <> all (${[]})`).toHaveLength(1);
});

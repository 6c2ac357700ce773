import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnsOfRows } from './columns-of-rows.ts';

let service: TestDatabase;
beforeAll(async () => {
  service = await createTestDatabase();
  await service.owner.sql`
    create table written (place integer, words text, amount double precision, holds boolean, at timestamptz(3), document text)`;
});
afterAll(() => service.drop());

interface Given {
  readonly place: number;
  readonly words: string | undefined;
  readonly amount: number | undefined;
  readonly holds: boolean | undefined;
  readonly atMs: number | undefined;
  readonly document: object | undefined;
}

const columns = columnsOfRows<Given>([
  { name: 'place', type: 'integer', of: (row) => row.place },
  { name: 'words', type: 'text', of: (row) => row.words },
  { name: 'amount', type: 'number', of: (row) => row.amount },
  { name: 'holds', type: 'boolean', of: (row) => row.holds },
  { name: 'at', type: 'moment', of: (row) => row.atMs },
  { name: 'document', type: 'text', of: (row) => row.document },
]);

const marks = ['\u001e', '\u001f', '\u0018', '\u0001', '\u007f'];
const plain = ['a', 'ü', '😀', '\n', '\t', '"', "'", '\\', '{', '}', ',', '$1'];
const orNothing = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const rows = fc.array(
  fc.record({
    words: orNothing(
      fc.oneof(
        fc.constantFrom('', ...marks),
        fc.string({ unit: fc.constantFrom(...plain), maxLength: 4 }),
        fc.string({ unit: fc.constantFrom(...marks, ...plain), maxLength: 4 }),
      ),
    ),
    amount: orNothing(fc.double({ noNaN: true })),
    holds: orNothing(fc.boolean()),
    atMs: orNothing(fc.integer({ min: 0, max: 4_102_444_800_000 })),
    document: orNothing(
      fc.array(fc.string({ unit: fc.constantFrom(...marks, '\u0000', '\ud800', 'x') })),
    ),
  }),
  { maxLength: 5 },
);

test('any rows come back as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (some) => {
      const { sql } = service.owner;
      const given = some.map((row, place): Given => ({ ...row, place }));
      await sql`delete from written`;
      await sql`insert into written (${columns.names}) select ${columns.names} from ${columns.of(given)} told`;
      const found = await sql`select ${columns.names} from written order by place`;
      expect([...found]).toEqual(
        given.map(({ atMs, document, ...row }) => ({
          place: row.place,
          words: row.words ?? null,
          holds: row.holds ?? null,
          amount: row.amount === undefined ? null : row.amount + 0,
          at: atMs === undefined ? null : new Date(atMs),
          document: document === undefined ? null : JSON.stringify(document),
        })),
      );
    }),
    { numRuns: 100 },
  );
});

test('a row of one empty text is a row, and no rows are none', async () => {
  const { sql } = service.owner;
  const words = columnsOfRows<string>([{ name: 'words', type: 'text', of: (text) => text }]);
  for (const texts of [[], [''], ['', '']]) {
    const found = await sql`select words from ${words.of(texts)} told`;
    expect(found.map((row) => row['words'])).toEqual(texts);
  }
});

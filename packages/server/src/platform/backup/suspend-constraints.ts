/**
 * Tables are loaded one after the other, so references between them are valid only at the end, and
 * triggers must not act on restored rows. A superuser switches both off for the transaction. An
 * owner may not; then the references are dropped and created again, which checks every row, and
 * each trigger is disabled. All of it is part of the transaction.
 */
import type pg from 'pg';
import { schema } from './stored-tables.ts';

export async function suspendConstraints(client: pg.Client): Promise<{ resume(): Promise<void> }> {
  await client.query('savepoint checks');
  try {
    await client.query('set local session_replication_role = replica');
    return {
      async resume() {
        await client.query('set local session_replication_role = origin');
      },
    };
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    await client.query('rollback to savepoint checks');
  }
  const references = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name,
            pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = to_regnamespace($1)`,
    [schema],
  );
  const triggers = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not tgisinternal and tgenabled = 'O' and tgparentid = 0
        and c.relnamespace = to_regnamespace($1)`,
    [schema],
  );
  for (const { table, name } of references.rows) {
    await client.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const { table, name } of triggers.rows) {
    await client.query(`alter table ${table} disable trigger ${name}`);
  }
  return {
    async resume() {
      await client.query('set constraints all immediate');
      for (const { table, name } of triggers.rows) {
        await client.query(`alter table ${table} enable trigger ${name}`);
      }
      for (const { table, name, definition } of references.rows) {
        await client.query(`alter table ${table} add constraint ${name} ${definition}`);
      }
    },
  };
}

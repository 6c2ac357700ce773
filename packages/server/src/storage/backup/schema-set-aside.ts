/**
 * A schema that is newer than the backup cannot be taken back to the backup's migration. It is renamed, so that the
 * migrations can build a fresh one; it goes when the restore is done and comes back when the restore fails.
 */
import type pg from 'pg';
import { qualified, schema, storedTables } from './stored-tables.ts';

const asideName = 'proofmark_before_restore';

export async function setSchemaAside(client: pg.Client): Promise<void> {
  await client.query(`alter schema ${schema} rename to ${asideName}`);
}

export async function bringSchemaBack(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query(`drop schema if exists ${schema} cascade`);
  await client.query(`alter schema ${asideName} rename to ${schema}`);
  await client.query('commit');
}

/** Inside the transaction that loads the data. */
export async function dropSchemaSetAside(client: pg.Client): Promise<void> {
  await client.query(`drop schema ${asideName} cascade`);
}

/**
 * Left by a restore that was killed: the data from before it is there, and the schema beside it is empty, since data
 * comes in the same transaction that drops this one. Where somebody has worked in that schema since, only a person
 * can say which data counts.
 */
export async function recoverSchemaSetAside(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select to_regnamespace($1) is not null as yes', [asideName]);
  if (!rows[0].yes) return;
  for (const { name } of await storedTables(client)) {
    const table = qualified(client, name);
    const found = await client.query(`select exists (select from ${table}) as yes`);
    if (found.rows[0].yes) {
      throw new Error(
        `An earlier restore was interrupted and left the data from before it in the schema ${asideName}: drop that schema if it is no longer needed, then restore again.`,
      );
    }
  }
  await bringSchemaBack(client);
}

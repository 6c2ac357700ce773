/**
 * Earlier versions renamed a schema that was newer than the backup while they restored. A killed
 * restore left it so: the earlier data is in the renamed schema, and the schema beside it is empty,
 * since the data would have arrived in the transaction that dropped the renamed one. If somebody
 * has worked in the empty schema since, only a person can decide which data counts.
 */
import type pg from 'pg';
import { qualified, schema, storedTables } from './stored-tables.ts';

const asideName = 'proofmark_before_restore';

export async function recoverSchemaSetAside(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select to_regnamespace($1) is not null as yes', [asideName]);
  if (!rows[0].yes) return;
  for (const { name } of await storedTables(client)) {
    const table = qualified(client, name);
    const found = await client.query(`select exists (select from ${table}) as yes`);
    if (found.rows[0].yes) {
      throw new Error(
        `An earlier restore was interrupted and left the previous data in the schema ${asideName}: drop that schema if it is no longer needed, then restore again.`,
      );
    }
  }
  await client.query('begin');
  await client.query(`drop schema if exists ${schema} cascade`);
  await client.query(`alter schema ${asideName} rename to ${schema}`);
  await client.query('commit');
}

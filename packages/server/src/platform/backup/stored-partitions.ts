/**
 * The partitions of partitioned tables. Migrations create partitions for the months around the day
 * on which they run. A backup from another day has rows of other months. Without partitions for
 * those months, these rows would all go to the default partitions.
 */
import type pg from 'pg';
import { type BackupPartition, BackupRefused } from './backup-format.ts';
import { qualified, schema } from './stored-tables.ts';

/** Returns the partitions of the schema without the default partitions, which migrations create. */
export async function storedPartitions(client: pg.Client): Promise<BackupPartition[]> {
  const { rows } = await client.query<BackupPartition>(
    `select whole.relname::text as of, part.relname::text as name,
            pg_get_expr(part.relpartbound, part.oid) as bound
       from pg_inherits
       join pg_class part on part.oid = inhrelid and part.relispartition and part.relkind = 'r'
       join pg_class whole on whole.oid = inhparent
      where part.relnamespace = to_regnamespace($1)
        and pg_get_expr(part.relpartbound, part.oid) <> 'DEFAULT'
      order by part.relname`,
    [schema],
  );
  return rows;
}

/**
 * Creates the partitions that are missing. Row level security is enabled on each, so that rows can
 * be read only through the whole table and its policies.
 */
export async function makePartitions(
  client: pg.Client,
  partitions: readonly BackupPartition[],
): Promise<void> {
  const there = new Set((await storedPartitions(client)).map(({ name }) => name));
  for (const { of, name, bound } of partitions) {
    if (there.has(name)) continue;
    if (!rangeOfTexts.test(bound)) {
      throw new BackupRefused(
        `The backup has a partition ${name} of the table ${of} that this Proofmark cannot create, so nothing was changed: restore it with the version that wrote it.`,
      );
    }
    await client.query(
      `create table ${qualified(client, name)} partition of ${qualified(client, of)} ${bound}`,
    );
    await client.query(`alter table ${qualified(client, name)} enable row level security`);
  }
}

const rangeOfTexts = /^FOR VALUES FROM \('\w*'\) TO \('\w*'\)$/;

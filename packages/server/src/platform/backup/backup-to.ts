/**
 * Writes all data into one file. Every table is read in the same snapshot, while other transactions
 * continue to write. The file gets its final name only when it is complete and flushed to disk.
 */
import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connect } from '../database/connect.ts';
import {
  type BackupTable,
  countRows,
  FrameWriter,
  formatName,
  formatVersion,
} from './backup-format.ts';
import { storedPartitions } from './stored-partitions.ts';
import {
  copySource,
  lastMigration,
  sequences,
  storedTables,
  useFixedSettings,
} from './stored-tables.ts';

export interface BackupReport {
  file: string;
  bytes: number;
  migration: number;
  rows: number;
  tables: { name: string; rows: number }[];
}

export async function backupTo(url: string, file: string): Promise<BackupReport> {
  const target = resolve(file);
  const unfinished = `${target}.${process.pid}.unfinished`;
  return connect(
    url,
    async (client) => {
      await client.query('begin isolation level repeatable read read only');
      await useFixedSettings(client);
      const migration = await lastMigration(client);
      if (migration === undefined) {
        throw new Error(
          'This database holds no Proofmark data yet, so there is nothing to back up.',
        );
      }
      const tables: BackupReport['tables'] = [];
      try {
        await pipeline(
          frames(client, migration, tables),
          createGzip(),
          createWriteStream(unfinished, { mode: 0o600, flush: true }),
        );
        await rename(unfinished, target);
        await flushFolder(dirname(target));
      } catch (error) {
        rmSync(unfinished, { force: true });
        if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
        throw new Error(
          `The backup could not be written to ${target} (${(error as NodeJS.ErrnoException).code}): choose a folder that exists, can be written and has room.`,
        );
      }
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      return { file: target, bytes: (await stat(target)).size, migration, rows, tables };
    },
    'backup',
  );
}

async function* frames(
  client: pg.Client,
  migration: number,
  done: BackupReport['tables'],
): AsyncGenerator<Buffer> {
  const writer = new FrameWriter();
  const createdAt = new Date().toISOString();
  yield writer.json('H', { format: formatName, version: formatVersion, migration, createdAt });
  const ends: (BackupTable & { rows: number })[] = [];
  for (const table of await storedTables(client)) {
    yield writer.json('T', table);
    let rows = 0;
    const source = client.query(copyTo(`copy (${copySource(client, table)}) to stdout`));
    for await (const chunk of source as AsyncIterable<Buffer>) {
      rows += countRows(chunk);
      yield* writer.data(chunk);
    }
    if (!source.closed) await once(source, 'close');
    if (rows !== source.rowCount) {
      throw new Error(
        `The table ${table.name} sent ${rows} rows but reported ${source.rowCount}, so no backup was written: try again.`,
      );
    }
    yield writer.json('E', { rows });
    ends.push({ ...table, rows });
    done.push({ name: table.name, rows });
  }
  yield writer.json('S', {
    tables: ends,
    sequences: await sequences(client),
    partitions: await storedPartitions(client),
  });
  yield writer.checksum();
}

/** Flushes the folder, without which the file's new name could be lost in a power failure. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * `postgres.json` in the data directory: the address and the password of the cluster. Only its
 * owner may read the file.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface ConnectionRecord {
  port: number;
  password: string;
  /**
   * The folder of the cluster. The path is relative if the folder is inside the data directory, so
   * that the data directory can be moved.
   */
  cluster: string;
  /**
   * False until the cluster is complete. Once it is true, a missing cluster means lost data, and no
   * new cluster is created.
   */
  made: boolean;
}

export function readConnectionRecord(dataDir: string): ConnectionRecord | undefined {
  const file = join(dataDir, 'postgres.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ConnectionRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      throw new Error(
        `${file} cannot be read by this user: run the command as the user who started Proofmark there.`,
      );
    }
    throw new Error(`${file} is not valid JSON: restore the file from a copy.`);
  }
}

/** Replaces the file in one step, so that a crash leaves either the old or the new file. */
export function writeConnectionRecord(dataDir: string, record: ConnectionRecord): void {
  const file = join(dataDir, 'postgres.json');
  const unfinished = `${file}.${process.pid}`;
  const handle = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(record, undefined, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(unfinished, file);
}

export function clusterOf(dataDir: string, record: ConnectionRecord): string {
  return resolve(dataDir, record.cluster);
}

export function urlOf(record: ConnectionRecord, database = 'proofmark'): string {
  return `postgres://proofmark:${record.password}@127.0.0.1:${record.port}/${database}`;
}

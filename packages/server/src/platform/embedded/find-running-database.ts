/**
 * Returns the address of the embedded database that a running service uses, for commands that run
 * at the same time. Returns undefined if no living process holds the data directory; the command
 * must then start the database itself.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { clusterOf, readConnectionRecord, urlOf } from './connection-file.ts';
import { livingHolder } from './data-directory-lock.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { processStart } from './process-facts.ts';

/** Milliseconds to wait, since the service may be starting or restarting its database. */
const patienceMs = 5_000;

export async function findRunningDatabase(dataDir: string): Promise<{ url: string } | undefined> {
  const deadline = performance.now() + patienceMs;
  while (livingHolder(dataDir) !== undefined) {
    const record = readConnectionRecord(dataDir);
    const file = record && readPostmasterFile(clusterOf(dataDir, record));
    if (record?.made && file?.ready && processStart(file.pid) !== undefined) {
      return { url: urlOf(record) };
    }
    if (performance.now() > deadline) return undefined;
    await wait(50);
  }
  return undefined;
}

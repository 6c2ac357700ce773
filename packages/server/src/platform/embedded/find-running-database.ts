/**
 * Returns the address of the embedded database that the living holder of the data directory runs,
 * for commands beside a running service. It returns undefined if there is no holder; the command
 * then starts its own database.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { clusterOf, readConnectionRecord, urlOf } from './connection-file.ts';
import { livingHolder } from './data-directory-lock.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { processStart } from './process-facts.ts';

/** The service may be starting or restarting its database at this moment. */
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

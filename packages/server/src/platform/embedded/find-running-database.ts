/**
 * For commands that act on the database beside a running service: the address of the embedded database that the
 * living holder of the data directory runs. Undefined when nobody holds it; then the command starts its own.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { clusterOf, readConnectionRecord, urlOf } from './connection-file.ts';
import { livingHolder } from './data-directory-lock.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { processStart } from './process-facts.ts';

/** The service may be starting its database at this very moment, or starting it again. */
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

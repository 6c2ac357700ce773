/**
 * Returns the memory of the PostgreSQL in a data directory. Pages shared by its processes are
 * counted once. Works only on Linux.
 */
import { readFileSync, realpathSync } from 'node:fs';
import {
  clusterOf,
  readConnectionRecord,
} from '../packages/server/src/platform/embedded/connection-file.ts';
import { postgresProcessesOn } from '../packages/server/src/platform/embedded/process-facts.ts';

export function postgresMemoryBytes(dataDir: string): number {
  const record = readConnectionRecord(dataDir);
  const cluster = record && clusterOf(dataDir, record);
  if (cluster === undefined) return Number.NaN;
  return postgresProcessesOn(realpathSync(cluster)).reduce((sum, pid) => sum + bytesOf(pid), 0);
}

function bytesOf(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
    return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Reads the free disk space of the data directory, or of the embedded database if its files are on
 * another path.
 */
import { statfs } from 'node:fs/promises';
import type { DiskHealth } from '../features/health/operations/present-health.ts';
import { clusterOf, readConnectionRecord } from '../platform/embedded/connection-file.ts';
import type { Settings } from './settings.ts';
import { reserveBytesOf } from './watch-disk.ts';

export async function freeDiskSpace(
  settings: Pick<Settings, 'dataDir' | 'databaseUrl' | 'diskReserveMb'>,
  /** Whether the disk already rejects writes (default: derived from the free space). */
  isFull = false,
): Promise<DiskHealth> {
  const { dataDir, databaseUrl } = settings;
  const holdsDatabase = databaseUrl === undefined;
  try {
    const record = holdsDatabase ? readConnectionRecord(dataDir) : undefined;
    const folder = record === undefined ? dataDir : clusterOf(dataDir, record);
    const { bsize, blocks, bavail } = await statfs(folder);
    const freeBytes = bavail * bsize;
    const refusesWrites = isFull || (holdsDatabase && freeBytes < reserveBytesOf(settings));
    return { freeBytes, totalBytes: blocks * bsize, holdsDatabase, refusesWrites };
  } catch {
    return null;
  }
}

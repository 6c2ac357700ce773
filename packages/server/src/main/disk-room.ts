/** How much room is left where the data directory is, or where the embedded database was put instead. */
import { statfs } from 'node:fs/promises';
import type { DiskRoom } from '../actions/health/present-health.ts';
import { clusterOf, readConnectionRecord } from '../storage/embedded/connection-file.ts';
import type { Settings } from './settings.ts';

export async function diskRoom({
  dataDir,
  databaseUrl,
}: Pick<Settings, 'dataDir' | 'databaseUrl'>): Promise<DiskRoom> {
  const holdsDatabase = databaseUrl === undefined;
  try {
    const record = holdsDatabase ? readConnectionRecord(dataDir) : undefined;
    const folder = record === undefined ? dataDir : clusterOf(dataDir, record);
    const { bsize, blocks, bavail } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, holdsDatabase };
  } catch {
    return null;
  }
}

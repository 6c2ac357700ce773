/**
 * Metrics of the whole installation, read for each metrics request. Every serving process returns
 * the same values. While the database is unreachable, the values are absent rather than outdated.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isSilent } from '@proofmark/domain';
import { Gauge, type Registry } from 'prom-client';
import type { DiskHealth } from './operations/present-health.ts';
import type { InstallationLoad } from './store/read-installation-load.ts';

export interface InstallationSource {
  readInstallationLoad(): Promise<InstallationLoad>;
  freeDiskSpace(): Promise<DiskHealth>;
}

const longestReadMs = 3000;

export const installationMetrics = (source: InstallationSource) => (registry: Registry) => {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `proofmark_${name}`, help, labelNames, registers: [registry] });
  const up = gauge('database_up', 'Whether the database answered when the metrics were read.');
  const size = gauge('database_bytes', 'Size of the database.');
  const runs = gauge('open_runs', 'Runs that have not ended.', ['origin']);
  const slices = gauge('work_slices', 'Pieces of leased work that are not done.', [
    'kind',
    'state',
  ]);
  const wait = gauge('work_longest_wait_seconds', 'Waiting time of work that is ready to begin.', [
    'kind',
  ]);
  const workers = gauge('workers', 'Workers that were seen in the last day.', ['state']);
  const free = gauge('disk_free_bytes', 'Free space on the disk of the data directory.');
  const total = gauge('disk_bytes', 'Size of the disk of the data directory.');
  const refused = gauge('writes_refused', 'Whether writing is stopped because the disk is full.');
  const byLabel = [runs, slices, wait, workers];
  const alone = [size, free, total, refused];

  const setDisk = (disk: NonNullable<DiskHealth>) => {
    free.set(disk.freeBytes);
    total.set(disk.totalBytes);
    refused.set(disk.refusesWrites ? 1 : 0);
  };
  const setLoad = (load: InstallationLoad) => {
    if (load.databaseBytes !== null) size.set(load.databaseBytes);
    runs.set({ origin: 'launched' }, load.launchedRuns);
    runs.set({ origin: 'reported' }, load.reportedRuns);
    for (const { kind, waiting, leased, silent, longestWaitSeconds } of load.work) {
      slices.set({ kind, state: 'waiting' }, waiting);
      slices.set({ kind, state: 'leased' }, leased - silent);
      slices.set({ kind, state: 'silent' }, silent);
      wait.set({ kind }, longestWaitSeconds);
    }
    const silentWorkers = load.workers.filter(isSilent).length;
    workers.set({ state: 'alive' }, load.workers.length - silentWorkers);
    workers.set({ state: 'silent' }, silentWorkers);
  };

  return async () => {
    const [load, disk] = await Promise.all([
      within(source.readInstallationLoad()),
      source.freeDiskSpace().catch(() => null),
    ]);
    for (const one of byLabel) one.reset();
    // Metrics without labels are removed, because a reset would leave them at 0, which would be
    // false.
    for (const one of alone) one.remove();
    up.set(load === undefined ? 0 : 1);
    if (disk !== null) setDisk(disk);
    if (load !== undefined) setLoad(load);
  };
};

/**
 * Returns undefined after a failure or a timeout: metrics without these values are better than a
 * request that hangs.
 */
async function within(reading: Promise<InstallationLoad>): Promise<InstallationLoad | undefined> {
  const timer = new AbortController();
  const late = pause(longestReadMs, undefined, { signal: timer.signal }).catch(() => undefined);
  return Promise.race([reading.catch(() => undefined), late]).finally(() => timer.abort());
}

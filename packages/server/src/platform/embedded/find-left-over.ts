/**
 * Handles the remains of an earlier start in the cluster. A PostgreSQL server that outlived our
 * killed process is returned. A `postmaster.pid` with the number of a dead, zombie or unrelated
 * process is removed, because PostgreSQL refuses to start while a process with that number exists.
 * The file is removed only when no process of the old server is left: two servers on one cluster
 * would destroy the data.
 */
import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { adoptPostmaster, type Postmaster } from './postmaster.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { isPostgresOn, postgresProcessesOn } from './process-facts.ts';

const patienceMs = 10_000;

export async function findLeftOver(
  cluster: string,
  waitMs = patienceMs,
): Promise<Postmaster | undefined> {
  const file = readPostmasterFile(cluster);
  if (file === undefined) return undefined;
  if (isPostgresOn(file.pid, realpathSync(cluster))) return adoptPostmaster(file.pid);
  await removeStalePidFile(cluster, waitMs);
  return undefined;
}

/**
 * Removes `postmaster.pid`, unless its server is running or helper processes of that server do not
 * end in time.
 */
export async function removeStalePidFile(cluster: string, waitMs = patienceMs): Promise<void> {
  const realCluster = realpathSync(cluster);
  const file = readPostmasterFile(cluster);
  if (file === undefined || isPostgresOn(file.pid, realCluster)) return;
  // The helper processes of a killed server end by themselves within moments.
  const deadline = performance.now() + waitMs;
  while (postgresProcessesOn(realCluster).length > 0) {
    if (performance.now() > deadline) return;
    await wait(50);
  }
  if (readPostmasterFile(cluster)?.pid === file.pid) {
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
  }
}

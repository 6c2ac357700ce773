/**
 * What an earlier start left in the cluster. A server of ours that still runs (our process was killed) is handed
 * back. A `postmaster.pid` that names nobody, a zombie or a stranger is removed, because PostgreSQL itself would
 * refuse to start for as long as that number is taken. It is removed only when no process of the old server
 * is left, for two servers on one cluster destroy it.
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

/** Leaves the file of a server that runs, and one whose helpers do not end. */
export async function removeStalePidFile(cluster: string, waitMs = patienceMs): Promise<void> {
  const realCluster = realpathSync(cluster);
  const file = readPostmasterFile(cluster);
  if (file === undefined || isPostgresOn(file.pid, realCluster)) return;
  // Helpers of a server that was killed end by themselves within moments.
  const deadline = performance.now() + waitMs;
  while (postgresProcessesOn(realCluster).length > 0) {
    if (performance.now() > deadline) return;
    await wait(50);
  }
  if (readPostmasterFile(cluster)?.pid === file.pid) {
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
  }
}

/**
 * Returns the CPU seconds that PostgreSQL has used so far, including its ended processes. Works
 * only on Linux.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import {
  clusterOf,
  readConnectionRecord,
} from '../packages/server/src/platform/embedded/connection-file.ts';
import { postgresProcessesOn } from '../packages/server/src/platform/embedded/process-facts.ts';

const ticksPerSecond = 100;

export function postgresCpuSeconds(dataDir: string): number | undefined {
  const record = readConnectionRecord(dataDir);
  const cluster = record && clusterOf(dataDir, record);
  if (cluster === undefined || !existsSync('/proc/self/stat')) return undefined;
  let ticks = 0;
  for (const pid of postgresProcessesOn(realpathSync(cluster))) ticks += ticksOf(pid);
  return ticks / ticksPerSecond;
}

function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Fields 11 and 12: user and system time of the process. Fields 13 and 14: the same for ended
    // child processes that it has waited for.
    return [11, 12, 13, 14].reduce((sum, place) => sum + Number(fields[place]), 0);
  } catch {
    return 0;
  }
}

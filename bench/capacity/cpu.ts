/** CPU seconds that processes have used so far. Only Linux reports them with this precision. */
import { readdirSync, readFileSync } from 'node:fs';
import { postgresProcessesOn } from '../../packages/server/src/platform/embedded/process-facts.ts';

const ticksPerSecond = 100;

export function cpuOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(readOr(`/proc/${pid}/task/${thread}/schedstat`, '0').split(' ')[0]);
  }
  return nanoseconds / 1e9;
}

/** Returns the CPU of all PostgreSQL processes of a cluster, including ended child processes. */
export function cpuOfCluster(cluster: string): number {
  let seconds = 0;
  for (const pid of postgresProcessesOn(cluster)) {
    const stat = readOr(`/proc/${pid}/stat`, '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // CPU time, in user and system mode, of the ended child processes that this process has waited
    // for.
    const ended = (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / ticksPerSecond;
    seconds += ended + Number(readOr(`/proc/${pid}/schedstat`, '0').split(' ')[0]) / 1e9;
  }
  return seconds;
}

export function privateBytesOf(pid: number): number {
  const text = readOr(`/proc/${pid}/smaps_rollup`, '');
  const kilobytes = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB/gm)];
  return kilobytes.reduce((sum, [, amount]) => sum + Number(amount) * 1024, 0);
}

/** Returns `otherwise` if the process has ended and its file is gone. */
function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return otherwise;
  }
}

/**
 * Facts about processes from the operating system: from /proc on Linux, from `ps` elsewhere. A
 * zombie has no open file and no memory, so it counts as dead, although signals can still be sent
 * to it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

const hasProc = existsSync('/proc/self/stat');

/**
 * Returns the start time of the living process with this number; undefined if there is none. The
 * start time distinguishes two processes that had the same number one after the other.
 */
export function processStart(pid: number): string | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  if (!hasProc) {
    const [state, ...started] = ask('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).split(/\s+/);
    return state === undefined || state === '' || state.startsWith('Z')
      ? undefined
      : started.join(' ');
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets. It may contain anything, so fields are
    // counted from behind the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/**
 * Returns the id of the machine's current boot. With it, a process number that was recorded before
 * a restart of the machine is recognized as outdated.
 */
export function bootId(): string {
  return hasProc
    ? readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    : ask('sysctl', ['-n', 'kern.bootsessionuuid']);
}

/**
 * Returns whether this process is alive and is a PostgreSQL that uses this cluster folder, which
 * must be given as its real path.
 */
export function isPostgresOn(pid: number, cluster: string): boolean {
  if (processStart(pid) === undefined) return false;
  if (!hasProc) {
    const command = ask('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return command.includes('postgres') && command.includes(cluster);
  }
  try {
    const program = readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '');
    return basename(program) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    return false;
  }
}

/**
 * Returns every living PostgreSQL process of this cluster. Without /proc, the helper processes of a
 * killed server cannot be found; PostgreSQL's own check of its shared memory is then the only
 * protection.
 */
export function postgresProcessesOn(cluster: string): number[] {
  if (hasProc) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => isPostgresOn(pid, cluster));
  }
  const processes = ask('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,command='])
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => state !== undefined && !state.startsWith('Z'))
    .map(([pid, parent, , ...command]) => ({ pid: Number(pid), parent: Number(parent), command }));
  const server = processes.find(
    ({ command }) =>
      command[0]?.endsWith('postgres') && command.join(' ').includes(`-D ${cluster}`),
  );
  if (server === undefined) return [];
  return processes
    .filter(({ pid, parent }) => pid === server.pid || parent === server.pid)
    .map(({ pid }) => pid);
}

function ask(program: string, parameters: string[]): string {
  try {
    return execFileSync(program, parameters, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
    }).trim();
  } catch {
    return '';
  }
}

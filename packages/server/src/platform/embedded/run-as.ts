/**
 * Finds the user that PostgreSQL runs as, since it refuses to run as root. If this process is root,
 * the user is the owner of an existing cluster, else `postgres`, else `nobody`. So no user has to
 * be created on the machine.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

export interface RunAs {
  uid: number;
  gid: number;
}

/** Returns the user that PostgreSQL must run as; undefined for the current user. */
export function runAsFor(existingCluster: string | undefined): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existingCluster !== undefined) {
    const { uid, gid } = statSync(existingCluster);
    if (uid !== 0) return { uid, gid };
  }
  for (const name of ['postgres', 'nobody']) {
    const found = lookUp(name);
    if (found !== undefined) return found;
  }
  throw new Error(
    'PostgreSQL must not run as root and this machine has neither a user postgres nor a user nobody: start Proofmark as an ordinary user, or set DATABASE_URL.',
  );
}

/**
 * The complete environment of PostgreSQL and its tools, so that our settings and secrets do not
 * reach them.
 */
export const postgresEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
};

/**
 * Returns options for spawn. `| 0` turns macOS' id of nobody (4294967294) into -2, the form that
 * spawn needs.
 */
export function spawnAs(runAs: RunAs | undefined): { cwd: string; uid?: number; gid?: number } {
  return runAs === undefined ? { cwd: '/' } : { cwd: '/', uid: runAs.uid | 0, gid: runAs.gid | 0 };
}

/**
 * Returns whether the user can enter the folder or run the file. The test runs as that user, so
 * access control lists count too.
 */
export function canEnter(path: string, runAs: RunAs | undefined): boolean {
  const script = 'test -r "$1" && test -x "$1" || { test -d "$1" && test -x "$1"; }';
  const options = { ...spawnAs(runAs), env: postgresEnvironment };
  return spawnSync('/bin/sh', ['-c', script, 'sh', path], options).status === 0;
}

function lookUp(name: string): RunAs | undefined {
  const ask = (flag: string) =>
    Number(
      execFileSync('id', [flag, name], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        env: postgresEnvironment,
      }),
    );
  try {
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}

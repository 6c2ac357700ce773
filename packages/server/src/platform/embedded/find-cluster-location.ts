/**
 * Finds the folder of the cluster, and the user that PostgreSQL runs as. The folder is normally in
 * the data directory. If root starts PostgreSQL as a user who cannot reach the data directory, the
 * folder is under /var/lib. An existing cluster stays where it is.
 */

import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import { type ConnectionRecord, clusterOf } from './connection-file.ts';
import { canEnter, type RunAs, runAsFor } from './run-as.ts';

export interface ClusterLocation {
  folder: string;
  cluster: string;
  exists: boolean;
  runAs: RunAs | undefined;
}

export function findClusterLocation(
  dataDir: string,
  record: ConnectionRecord | undefined,
  notify: (sentence: string) => void,
): ClusterLocation {
  const known = record === undefined ? join(dataDir, 'postgres') : clusterOf(dataDir, record);
  const folder = dirname(known);
  if (existsSync(known)) {
    if (record === undefined) {
      throw new Error(
        `${join(dataDir, 'postgres.json')} is missing, but there is a database in ${known}: put the file back, or move the database away to begin with an empty one.`,
      );
    }
    const runAs = runAsFor(known);
    if (canEnter(known, runAs)) {
      if (folder !== dataDir) reportElsewhere(dataDir, folder, notify);
      return { folder, cluster: known, exists: true, runAs };
    }
    throw new Error(
      `The database in ${known} cannot be reached by the user who owns it: run Proofmark as the user who started it first, and allow that user to pass through every folder above it (chmod o+x).`,
    );
  }
  if (record?.made) {
    throw new Error(
      `The database of this data directory should be in ${known} but is not there: put it back, or remove ${join(dataDir, 'postgres.json')} to begin with an empty one.`,
    );
  }
  const runAs = runAsFor(undefined);
  if (canEnter(dataDir, runAs)) {
    return { folder: dataDir, cluster: join(dataDir, 'postgres'), exists: false, runAs };
  }
  const elsewhere = folderUnderVar(dataDir);
  const cluster = join(elsewhere, 'postgres');
  if (existsSync(cluster)) {
    throw new Error(
      `The database of an earlier ${dataDir} is still in ${elsewhere}, though that data directory was deleted: delete ${elsewhere} too (rm -r ${elsewhere}) to begin with an empty one, or put the deleted folder back.`,
    );
  }
  reportElsewhere(dataDir, elsewhere, notify);
  return { folder: elsewhere, cluster, exists: false, runAs };
}

function reportElsewhere(
  dataDir: string,
  elsewhere: string,
  notify: (sentence: string) => void,
): void {
  notify(
    `PostgreSQL does not run as root and its user cannot reach ${dataDir}, so the database is kept in ${elsewhere}; to delete all data, stop Proofmark and delete both folders.`,
  );
}

function folderUnderVar(dataDir: string): string {
  const parent = '/var/lib/proofmark';
  const folder = join(parent, sha256Hex(dataDir).slice(0, 16));
  mkdirSync(folder, { recursive: true });
  // With a strict umask, PostgreSQL's user could not reach these two folders either, so their mode
  // is set explicitly.
  chmodSync(parent, 0o755);
  chmodSync(folder, 0o755);
  return folder;
}

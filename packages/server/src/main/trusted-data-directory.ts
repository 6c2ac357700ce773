/**
 * Decides whether this user's Proofmark wrote a data directory, or whether it came with a foreign
 * checkout. Its files can name programs to run, so a foreign directory is not opened without
 * consent. File owners and modes prove nothing, so hashes are recorded in the user's own folder.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isRecord, trustedHashFile } from '@proofmark/domain';
import { sha256Hex } from '../kernel/sha256-hex.ts';
import { clusterOf, readConnectionRecord } from '../platform/embedded/connection-file.ts';
import type { Settings } from './settings.ts';

type Place = Pick<Settings, 'dataDir' | 'stateFolder'>;

/** The files of a PostgreSQL cluster that determine how it starts and who may connect. */
const sealedOfCluster = [
  'PG_VERSION',
  'postgresql.conf',
  'postgresql.auto.conf',
  'pg_hba.conf',
  'pg_ident.conf',
];
const wholeSeal = 'directory';
export const programsFile = 'stdio-servers.json';

/**
 * Records that the directory is trusted. Called after its database has started. Returns false if
 * nothing can be recorded.
 */
export function trustDataDirectory(place: Place): boolean {
  const programs = readIfThere(join(place.dataDir, programsFile));
  if (programs !== undefined) sealFile(place, programsFile, programs.toString());
  return write(place, wholeSeal, JSON.stringify(digestsOf(place.dataDir)));
}

export function sealFile(place: Place, fileName: string, content: string): boolean {
  return write(place, fileName, sha256Hex(content));
}

export function endTrust(place: Place, fileName: string): void {
  const file = fileOf(place, fileName);
  if (file !== undefined) rmSync(file, { force: true });
}

/**
 * Returns why the data directory counts as foreign, as a sentence. Returns undefined if it is the
 * user's own or does not exist yet.
 */
export function whyNotTrusted(place: Place): string | undefined {
  if (isFresh(place.dataDir)) return undefined;
  const noted = readSeal(place, wholeSeal);
  if (noted === undefined) return 'it was not created by a Proofmark command of this user';
  const now = digestsOf(place.dataDir);
  const known: unknown = JSON.parse(noted);
  const before = isRecord(known) ? known : {};
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].find(
    (name) => before[name] !== now[name],
  );
  if (changed !== undefined) return `${changed} in it was changed by something else`;
  const programs = readIfThere(join(place.dataDir, programsFile));
  if (programs === undefined || readSeal(place, programsFile) === sha256Hex(programs)) {
    return undefined;
  }
  return `${programsFile} in it was changed by something else`;
}

/**
 * Returns whether the directory is missing, or contains only files such as `.gitignore`, which
 * Proofmark never reads.
 */
function isFresh(dataDir: string): boolean {
  const entry = lstatSync(dataDir, { throwIfNoEntry: false });
  if (entry === undefined) return true;
  if (!entry.isDirectory()) return false;
  return readdirSync(dataDir, { withFileTypes: true }).every(
    (one) => one.isFile() && ['.gitignore', '.gitkeep'].includes(one.name),
  );
}

function digestsOf(dataDir: string): Record<string, string> {
  const digests: Record<string, string> = {};
  const add = (name: string, content: Buffer | undefined) => {
    if (content !== undefined) digests[name] = sha256Hex(content);
  };
  add('postgres.json', readIfThere(join(dataDir, 'postgres.json')));
  const cluster = clusterIn(dataDir);
  if (cluster === undefined) return digests;
  for (const name of sealedOfCluster) add(name, readIfThere(join(cluster, name)));
  add('the number of the database', systemNumber(join(cluster, 'global/pg_control')));
  return digests;
}

/**
 * Returns the path of the cluster. Returns undefined if the connection record is missing or
 * invalid; a change of that file is detected by its own hash.
 */
function clusterIn(dataDir: string): string | undefined {
  try {
    const record = readConnectionRecord(dataDir);
    return record && clusterOf(dataDir, record);
  } catch {
    return undefined;
  }
}

/**
 * Reads the system identifier, which PostgreSQL assigns when a cluster is created. It is at the
 * beginning of `pg_control`; the rest of that file changes.
 */
function systemNumber(file: string): Buffer | undefined {
  try {
    const handle = openSync(file, 'r');
    try {
      const number = Buffer.alloc(8);
      readSync(handle, number, 0, 8, 0);
      return number;
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Returns the file for the hashes of this directory. If `dataDir` is itself a symbolic link, the
 * link is not resolved, because its target may belong to another folder.
 */
function fileOf({ dataDir, stateFolder }: Place, fileName: string): string | undefined {
  if (stateFolder === undefined) return undefined;
  const whole = resolve(dataDir);
  try {
    const place = join(realpathSync(dirname(whole)), basename(whole));
    return trustedHashFile(stateFolder, place, fileName, sha256Hex);
  } catch {
    return undefined;
  }
}

function readSeal(place: Place, fileName: string): string | undefined {
  const file = fileOf(place, fileName);
  return file === undefined ? undefined : readIfThere(file)?.toString().trim();
}

function write(place: Place, fileName: string, content: string): boolean {
  const file = fileOf(place, fileName);
  if (file === undefined) return place.stateFolder === undefined;
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, `${content}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, file);
    return true;
  } catch {
    // The user may have no writable folder, like a service account. Commands then treat the
    // directory as foreign.
    return false;
  }
}

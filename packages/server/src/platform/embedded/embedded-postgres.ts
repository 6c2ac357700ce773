/**
 * The embedded database: one PostgreSQL cluster that belongs to a data directory.
 *
 * The data directory contains `postgres/` (the cluster), `postgres.json` (its address) and
 * `postgres.log`. The caller must hold the lock of the data directory. PostgreSQL keeps running
 * if our process is killed. The next start uses that server if its command is the same; otherwise
 * it stops the server and starts a new one.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '../database/connect.ts';
import {
  type ConnectionRecord,
  readConnectionRecord,
  urlOf,
  writeConnectionRecord,
} from './connection-file.ts';
import { createCluster } from './create-cluster.ts';
import { type ClusterLocation, findClusterLocation } from './find-cluster-location.ts';
import { findLeftOver, removeStalePidFile } from './find-left-over.ts';
import { freePort } from './free-port.ts';
import { keepRunning } from './keep-running.ts';
import { openDataDirectory } from './open-data-directory.ts';
import { embeddedBinaries, majorVersion, type PostgresBinaries } from './postgres-binaries.ts';
import { type Postmaster, startPostmaster, stopPostmaster } from './postmaster.ts';
import { usableBinaries } from './usable-binaries.ts';

export interface EmbeddedPostgresOptions {
  dataDir: string;
  binaries?: PostgresBinaries;
  /** Server settings that are added to Proofmark's settings or replace them. */
  settings?: Record<string, string>;
  /**
   * False to create the cluster without flushing it to disk, which is faster in tests (default:
   * true).
   */
  sync?: boolean;
  notify?: (sentence: string) => void;
}

export interface EmbeddedPostgres {
  url: string;
  dataDir: string;
  /** True if a server from an earlier start was still running and was taken over. */
  attached: boolean;
  stop(): Promise<void>;
}

/**
 * Server settings. The last two settings limit what PostgreSQL logs: a logged statement or row
 * value could contain secrets.
 */
const ourSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

const pausesMs = [100, 200, 400, 800, 1_600, 3_200];

const running = new Set<Promise<EmbeddedPostgres>>();

export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const starting = start(options);
  running.add(starting);
  try {
    const { stop, ...started } = await starting;
    return { ...started, stop: () => stop().finally(() => running.delete(starting)) };
  } catch (error) {
    running.delete(starting);
    throw error;
  }
}

/**
 * Stops all databases, for a process that must exit at once. It also waits for a PostgreSQL that is
 * just starting, which would otherwise keep running.
 */
export async function stopEmbeddedDatabases(): Promise<void> {
  await Promise.allSettled([...running].map(async (one) => (await one).stop()));
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const notify = options.notify ?? (() => {});
  const dataDir = openDataDirectory(options.dataDir);
  const known = readConnectionRecord(dataDir);
  const location = findClusterLocation(dataDir, known, notify);
  const binaries = usableBinaries(options.binaries ?? (await embeddedBinaries()), location, notify);
  const major = majorVersion(binaries, location.runAs);

  let record = known ?? {
    port: await freePort(),
    password: randomBytes(24).toString('base64url'),
    cluster: clusterNameOf(dataDir, location),
    made: false,
  };
  const save = (change: Partial<ConnectionRecord>) => {
    record = { ...record, ...change };
    writeConnectionRecord(dataDir, record);
  };
  if (!location.exists) {
    save({ cluster: clusterNameOf(dataDir, location) });
    const { password } = record;
    await createCluster({ location, binaries, major, password, sync: options.sync ?? true });
  }
  if (!record.made) save({ made: true });
  refuseOtherVersion(location, major);

  const settings = { ...ourSettings, ...options.settings };
  const command = () => ({
    location,
    binaries,
    dataDir,
    parameters: [
      ...['-D', location.cluster, '-p', String(record.port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  });

  let postmaster = await findLeftOver(location.cluster);
  if (postmaster !== undefined) {
    const asNow = wasStartedAs(location.cluster, binaries.postgres, command().parameters);
    if (!asNow || !(await answers(record))) {
      await stopPostmaster(postmaster);
      postmaster = undefined;
    }
  }
  const attached = postmaster !== undefined;
  if (attached)
    notify('The database from an earlier start was still running, so Proofmark uses it.');
  postmaster ??= await startWithPauses(async () => {
    // Another program may have taken the port while PostgreSQL was not running.
    const port = await freePort(record.port);
    if (port !== record.port) save({ port });
    await removeStalePidFile(location.cluster);
    return startPostmaster(command(), new AbortController().signal);
  });

  const startAgain = async (signal: AbortSignal): Promise<Postmaster> => {
    await removeStalePidFile(location.cluster);
    return startPostmaster(command(), signal);
  };
  const kept = keepRunning(postmaster, startAgain, notify);
  try {
    await ensureDatabase(record);
  } catch (error) {
    await kept.stop();
    throw error;
  }
  return { url: urlOf(record), dataDir: location.cluster, attached, stop: () => kept.stop() };
}

/**
 * Returns the path of the cluster for the record. It is relative if the cluster is inside the data
 * directory, so that both can be moved together; otherwise it is absolute.
 */
function clusterNameOf(dataDir: string, location: ClusterLocation): string {
  return relative(dataDir, location.cluster).startsWith('..') ? location.cluster : 'postgres';
}

async function startWithPauses(start: () => Promise<Postmaster>): Promise<Postmaster> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined) {
        throw new Error(
          `PostgreSQL did not start in ${tries + 1} tries; its last message was: ${(error as Error).message}`,
        );
      }
      await wait(pauseMs);
    }
  }
}

/**
 * Returns whether the running server was started with this command, which PostgreSQL stores in
 * `postmaster.opts`. A server with other settings is not taken over.
 */
function wasStartedAs(cluster: string, program: string, parameters: string[]): boolean {
  const quoted = [realpathSync(program), ...parameters.map((part) => `"${part}"`)].join(' ');
  try {
    return readFileSync(join(cluster, 'postmaster.opts'), 'utf8').trim() === quoted;
  } catch {
    return false;
  }
}

async function answers(record: ConnectionRecord): Promise<boolean> {
  try {
    await ensureDatabase(record);
    return true;
  } catch {
    return false;
  }
}

function refuseOtherVersion(location: ClusterLocation, major: number): void {
  const made = readFileSync(join(location.cluster, 'PG_VERSION'), 'utf8').trim();
  if (made === String(major)) return;
  throw new Error(
    `The database in ${location.cluster} was created by PostgreSQL ${made}, but the programs here are PostgreSQL ${major}: take a backup with the version that created it and restore it into an empty data directory.`,
  );
}

async function ensureDatabase(record: ConnectionRecord): Promise<void> {
  try {
    await connect(urlOf(record), (client) => client.query('select 1'));
  } catch (error) {
    // 3D000: the database does not exist.
    if ((error as { code?: string }).code !== '3D000') throw error;
    await connect(urlOf(record, 'postgres'), (client) => client.query('create database proofmark'));
  }
}

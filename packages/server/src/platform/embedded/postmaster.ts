/**
 * One running PostgreSQL server process. It has a separate session, so that Ctrl-C in our terminal
 * does not stop it. It does not keep our process from exiting.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClusterLocation } from './find-cluster-location.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { processStart } from './process-facts.ts';
import { postgresEnvironment, spawnAs } from './run-as.ts';

export interface Postmaster {
  pid: number;
  ended: Promise<void>;
}

export interface PostmasterCommand {
  location: ClusterLocation;
  binaries: PostgresBinaries;
  parameters: string[];
  dataDir: string;
}

const stopPatienceMs = 20_000;

/**
 * Starts a server; settles when the server accepts connections. While its process lives there is no
 * deadline, since recovery after a crash can take long.
 */
export async function startPostmaster(
  command: PostmasterCommand,
  signal: AbortSignal,
): Promise<Postmaster> {
  const log = openLog(command.dataDir);
  const logStart = logSize(command.dataDir);
  const child = spawn(command.binaries.postgres, command.parameters, {
    ...spawnAs(command.location.runAs),
    env: postgresEnvironment,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  child.unref();
  let reason: string | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      reason = error.message;
      resolve();
    });
  });
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  while (!gone) {
    const file = readPostmasterFile(command.location.cluster);
    if (file !== undefined && file.pid === child.pid && file.ready) {
      return { pid: child.pid, ended };
    }
    if (signal.aborted && child.pid !== undefined) {
      await stopPostmaster({ pid: child.pid, ended });
    }
    await wait(10);
  }
  throw new Error(reason ?? lastLogLine(command.dataDir, logStart));
}

/**
 * Wraps a server that an earlier process of ours started. It is not our child, so its end is
 * detected by polling.
 */
export function adoptPostmaster(pid: number): Postmaster {
  const started = processStart(pid);
  const ended = (async () => {
    while (started !== undefined && processStart(pid) === started) {
      await wait(100, undefined, { ref: false });
    }
  })();
  return { pid, ended };
}

/**
 * Stops the server fast: open transactions are rolled back, committed data is written, and the
 * process ends.
 */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(postmaster.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    if (await endsWithin(postmaster, stopPatienceMs)) return;
  }
  throw new Error(
    `PostgreSQL (process ${postmaster.pid}) did not stop when asked to: stop it by hand.`,
  );
}

async function endsWithin(postmaster: Postmaster, patienceMs: number): Promise<boolean> {
  const patience = new AbortController();
  // This timer also keeps this process alive during the wait, because the handle of the server's
  // process does not.
  const timeUp = wait(patienceMs, false, { signal: patience.signal }).catch(() => false);
  const ended = await Promise.race([postmaster.ended.then(() => true), timeUp]);
  patience.abort();
  return ended;
}

/** The size in bytes above which PostgreSQL's log, `postgres.log`, is renamed at the next start. */
const largestBytes = 8 * 1024 * 1024;

function openLog(dataDir: string): number {
  const file = join(dataDir, 'postgres.log');
  if (sizeOf(file) > largestBytes) renameSync(file, `${file}.old`);
  return openSync(file, 'a', 0o600);
}

function logSize(dataDir: string): number {
  return sizeOf(join(dataDir, 'postgres.log'));
}

/**
 * Returns the last problem in the log after the byte `sinceBytes`; if there is none, the last line.
 */
function lastLogLine(dataDir: string, sinceBytes: number): string {
  const file = join(dataDir, 'postgres.log');
  const size = sizeOf(file);
  const from = Math.max(size < sinceBytes ? 0 : sinceBytes, size - 16_384);
  const text = Buffer.alloc(size - from);
  if (text.length > 0) {
    const handle = openSync(file, 'r');
    readSync(handle, text, 0, text.length, from);
    closeSync(handle);
  }
  const lines = text.toString('utf8').split('\n').filter(Boolean);
  const trouble = lines.filter((line) => /\b(FATAL|PANIC|ERROR|error):? /.test(line));
  return trouble.at(-1) ?? lines.at(-1) ?? 'it wrote nothing';
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

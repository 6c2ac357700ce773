/**
 * One running PostgreSQL server process. It has a separate session, so that Ctrl-C in our terminal
 * does not stop it, and it does not keep our process alive.
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClusterLocation } from './find-cluster-location.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { lastLogLine, logSize, openLog } from './postgres-log.ts';
import { readPostmasterFile } from './postmaster-file.ts';
import { processStart } from './process-facts.ts';
import { postgresEnvironment, spawnAs } from './run-as.ts';

export interface Postmaster {
  pid: number;
  /** Settles when the process has ended, for any reason. */
  ended: Promise<void>;
}

export interface PostmasterCommand {
  location: ClusterLocation;
  binaries: PostgresBinaries;
  parameters: string[];
  /** The data directory, in which its log is. */
  dataDir: string;
}

const stopPatienceMs = 20_000;

/**
 * Starts a server; settles when it accepts connections. There is no deadline while its process
 * lives, since a recovery can be long.
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

/** Stops fast: open transactions are rolled back, committed data is written, the process ends. */
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
  // This timer also keeps our process alive while it waits; the server's handle does not.
  const timeUp = wait(patienceMs, false, { signal: patience.signal }).catch(() => false);
  const ended = await Promise.race([postmaster.ended.then(() => true), timeUp]);
  patience.abort();
  return ended;
}

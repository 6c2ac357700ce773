import {
  type DataDirectoryLock,
  lockDataDirectory,
} from '../platform/embedded/data-directory-lock.ts';
import {
  startEmbeddedPostgres,
  stopEmbeddedDatabases,
} from '../platform/embedded/embedded-postgres.ts';
import { findRunningDatabase } from '../platform/embedded/find-running-database.ts';
import type { Settings } from './settings.ts';
import { trustDataDirectory } from './trusted-data-directory.ts';

export interface LocatedDatabase {
  readonly url: string;
  /** The folder that contains the database's files, if known. */
  readonly folder?: string;
  /** The lock of the data directory. Present if this process owns the embedded database. */
  readonly lock?: DataDirectoryLock;
  stop(): Promise<void>;
}

export type Notify = (sentence: string) => void;

/**
 * Finds or starts the database. `exclusive` is for the service, which must be the only user of an
 * embedded database. `join` is for the operator's commands, which use a running one.
 */
export async function locateDatabase(
  settings: Settings,
  mode: 'exclusive' | 'join',
  notify: Notify,
): Promise<LocatedDatabase> {
  const running =
    settings.databaseUrl === undefined && mode === 'join'
      ? await findRunningDatabase(settings.dataDir)
      : undefined;
  const url = settings.databaseUrl ?? running?.url;
  if (url !== undefined) return { url, stop: async () => undefined };
  const lock = lockDataDirectory(settings.dataDir);
  const stopListening = mode === 'join' ? stopWhenInterrupted() : () => undefined;
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, notify });
    // The user owns the folder or has agreed to use it, so later commands do not ask again.
    trustDataDirectory(settings);
    const stop = async () => {
      await postgres.stop();
      stopListening();
      lock.release();
    };
    return { url: postgres.url, folder: postgres.dataDir, lock, stop };
  } catch (error) {
    stopListening();
    lock.release();
    throw error;
  }
}

/**
 * Stops the embedded database when a command is interrupted. Processes that run until they are
 * stopped handle signals themselves.
 */
function stopWhenInterrupted(): () => void {
  const leave = () => void stopEmbeddedDatabases().finally(() => process.exit(130));
  for (const signal of signals) process.on(signal, leave);
  return () => {
    for (const signal of signals) process.off(signal, leave);
  };
}

const signals = ['SIGINT', 'SIGTERM'] as const;

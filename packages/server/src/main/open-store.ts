/**
 * Puts the database together: the operator's own by URL, or the embedded one in the data directory,
 * migrated, with the vault opened by the secret key. Whatever was opened is closed again in reverse.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrateQueue } from '../queue/start-queue.ts';
import { type Database, openDatabase } from '../storage/database.ts';
import {
  type DataDirectoryLock,
  lockDataDirectory,
} from '../storage/embedded/data-directory-lock.ts';
import { startEmbeddedPostgres } from '../storage/embedded/embedded-postgres.ts';
import { findRunningDatabase } from '../storage/embedded/running-database.ts';
import { claimInstallation, isReachable } from '../storage/installation.ts';
import { migrate } from '../storage/migrate.ts';
import { loadOrCreateSecretKey, parseSecretKey } from '../vault/secret-key.ts';
import { createVault, type Vault } from '../vault/vault.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

export interface Store {
  readonly url: string;
  readonly embedded: boolean;
  /** As the service: row-level security holds. */
  readonly database: Database;
  /** As the owner of the tables: for starting up and for the operator. */
  readonly owner: Database;
  readonly warnings: readonly string[];
  /** Says in the lock file where the service listens. */
  describe(url: string): void;
  close(): Promise<void>;
}

export interface Located {
  readonly url: string;
  readonly embedded: boolean;
  readonly lock: DataDirectoryLock | undefined;
  stop(): Promise<void>;
}

type Say = (sentence: string) => void;

/** `exclusive` is the service, which must be alone; the operator's commands join a running one. */
export async function locateDatabase(
  settings: Settings,
  mode: 'exclusive' | 'join',
  say: Say,
): Promise<Located> {
  if (settings.databaseUrl !== undefined) {
    return {
      url: settings.databaseUrl,
      embedded: false,
      lock: undefined,
      stop: async () => undefined,
    };
  }
  if (mode === 'join') {
    const running = await findRunningDatabase(settings.dataDir);
    if (running)
      return { url: running.url, embedded: true, lock: undefined, stop: async () => undefined };
  }
  mkdirSync(settings.dataDir, { recursive: true });
  const lock = lockDataDirectory(settings.dataDir, {});
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, say });
    return {
      url: postgres.url,
      embedded: true,
      lock,
      stop: async () => {
        await postgres.stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export async function openStore(
  settings: Settings,
  mode: 'exclusive' | 'join',
  say: Say,
): Promise<Store> {
  const vault = openVault(settings);
  const located = await locateDatabase(settings, mode, say);
  const opened: Database[] = [];
  const close = async () => {
    for (const database of opened) await database.close();
    await located.stop();
  };
  try {
    const { appRoleReady } = await migrate(located.url);
    await migrateQueue(located.url);
    const owner = openDatabase({ url: located.url, vault, as: 'owner', maxConnections: 2 });
    const database = openDatabase({
      url: located.url,
      vault,
      as: appRoleReady ? 'service' : 'owner',
    });
    opened.push(owner, database);
    if ((await claimInstallation(owner)) === 'otherKey') throw new BadSetting(otherKey);
    if (!(await isReachable(database))) throw new BadSetting(serviceRefused);
    return {
      url: located.url,
      embedded: located.embedded,
      database,
      owner,
      warnings: appRoleReady ? [] : [noAppRole],
      describe: (url) => located.lock?.describe({ url }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export function openVault(settings: Settings): Vault {
  return createVault(
    settings.secretKey === undefined
      ? loadOrCreateSecretKey(join(settings.dataDir, 'secret.key'))
      : parseSecretKey(settings.secretKey, 'PROOFMARK_SECRET_KEY'),
  );
}

const otherKey =
  'The secrets in this database are sealed with another key; set PROOFMARK_SECRET_KEY to that key, or put it into secret.key of the data directory.';
const serviceRefused =
  'The database lets its owner in but not the service; check the connection limit and the role proofmark_app.';
const noAppRole =
  'The database user may not make the role proofmark_app, so row-level security does not back up the access checks. Create that role and grant it to the user.';

/** The public entry of the server, for the operator's commands. */

import { backupTo } from '../storage/backup/backup-to.ts';
import { restoreFrom } from '../storage/backup/restore-from.ts';
import { readConnectionRecord } from '../storage/embedded/connection-file.ts';
import { livingHolder } from '../storage/embedded/data-directory-lock.ts';
import { latestMigration, migrate } from '../storage/migrations/migrate.ts';
import { addressUrl } from './address-url.ts';
import { findVault, fittingVault } from './find-vault.ts';
import { locateDatabase } from './locate-database.ts';
import { createLog } from './log.ts';
import { openStore } from './open-store.ts';
import { createOperator, type Operator } from './operator.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

export { failureSentence } from './failure-sentence.ts';
export type { Service } from './serve.ts';
export { type ResolvedSettings, resolveSettings, type Settings, settingRows } from './settings.ts';
export { BadSetting, createLog };

// Loaded only by the commands that need them: most of the time a command takes is the loading of its code.
export const loadServe = async () => (await import('./serve.ts')).serve;
export const loadWork = async () => (await import('./work.ts')).work;

export async function asOperator<Result>(
  settings: Settings,
  say: (sentence: string) => void,
  act: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const store = await openStore(settings, 'join', say);
  try {
    return await act(createOperator(store.owner, serviceUrl(settings)));
  } finally {
    await store.close();
  }
}

/** Where people reach the service: as it was told, as it runs now, or as it would be started. */
function serviceUrl(settings: Settings): string {
  const running = settings.databaseUrl === undefined ? livingHolder(settings.dataDir) : undefined;
  return (
    settings.publicUrl ??
    running?.url ??
    addressUrl({ address: settings.host, port: settings.port })
  );
}

export async function runMigrations(
  settings: Settings,
  say: (sentence: string) => void,
): Promise<readonly string[]> {
  return withDatabaseUrl(settings, say, async (url) => {
    const { applied } = await migrate(url);
    const { migrateQueue } = await import('../queue/start-queue.ts');
    await migrateQueue(url);
    return applied;
  });
}

export async function backup(settings: Settings, file: string, say: (sentence: string) => void) {
  // A backup from the wrong folder must not look like a good one of an empty database.
  if (settings.databaseUrl === undefined && readConnectionRecord(settings.dataDir) === undefined) {
    throw new BadSetting(`There is no database in ${settings.dataDir}; name the right --data-dir.`);
  }
  return withDatabaseUrl(settings, say, (url) => backupTo(url, file));
}

export async function restore(settings: Settings, file: string, say: (sentence: string) => void) {
  const vault = findVault(settings);
  return withDatabaseUrl(settings, say, async (url) => {
    const report = await restoreFrom(url, file, {
      latest: latestMigration,
      migrate: async (upTo) => void (await migrate(url, upTo)),
      accept: async (client) => {
        const { rows } = await client.query('select key_fingerprint from proofmark.installation');
        fittingVault(settings, vault, rows[0]?.key_fingerprint);
      },
    });
    await migrate(url);
    return report;
  });
}

async function withDatabaseUrl<Result>(
  settings: Settings,
  say: (sentence: string) => void,
  act: (url: string) => Promise<Result>,
): Promise<Result> {
  const located = await locateDatabase(settings, 'join', say);
  try {
    return await act(located.url);
  } finally {
    await located.stop();
  }
}

import { backupTo } from '../platform/backup/backup-to.ts';
import { connect } from '../platform/database/connect.ts';
import { DataLock } from '../platform/database/data-lock.ts';
import { readConnectionRecord } from '../platform/embedded/connection-file.ts';
import { livingHolder } from '../platform/embedded/data-directory-lock.ts';
import { migrate, refuseBeforeBaseLine } from '../platform/migrations/migrate.ts';
import { addressUrl } from './address-url.ts';
import { quotasOf, retentionOf } from './launch-limits.ts';
import { locateDatabase } from './locate-database.ts';
import { createLog } from './log.ts';
import type { ModelOperator } from './operate-models.ts';
import { createOperator, type Operator } from './operator.ts';
import { operatorActor } from './operator-input.ts';
import { refuseDuringKeyChange } from './refuse-during-key-change.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { spendingOf } from './spending-settings.ts';
import { restoreUnderWay, withOperatorStore } from './with-operator-store.ts';

export { DataDirectoryInUse } from '../platform/embedded/data-directory-lock.ts';
export { stopEmbeddedDatabases } from '../platform/embedded/embedded-postgres.ts';
export { failureSentence } from './failure-sentence.ts';
export { type ServerToStart, saveFolderServer } from './folder-servers.ts';
export type { ConformanceToPlay, NotPlayed, PlayedConformance } from './open-conformance.ts';
export type { ListedServer } from './open-listing.ts';
export type { QuotasOfOrganization, RetentionPreview } from './operate-limits.ts';
export type { ProviderChange } from './operate-models.ts';
export { readHealth } from './read-health.ts';
export { type RestoreRequest as RestoreWishes, restore } from './restore.ts';
export { type RotatedKey, rotateSecretKey } from './rotate-secret-key.ts';
export type { SampleReport } from './sample/run-sample.ts';
export type { Service } from './serve.ts';
export { type ResolvedSettings, resolveSettings, type Settings, settingRows } from './settings.ts';
export { whyNotTrusted } from './trusted-data-directory.ts';
export { unknownVariables } from './unknown-variables.ts';
export { type VisitedSettings, visitedSettings } from './visited-settings.ts';
export { addressUrl, BadSetting, createLog };

// Loaded only by the commands that need it, because loading code takes most of a command's time.
export const loadServe = async () => (await import('./serve.ts')).serve;
export const loadListing = async () => (await import('./open-listing.ts')).openListing;
export const loadConformance = async () => import('./open-conformance.ts');
export const loadTesting = async () => import('./open-testing.ts');
export const loadWork = async () => (await import('./work.ts')).work;

export async function asOperator<Result>(
  settings: Settings,
  notify: (sentence: string) => void,
  act: (operator: Operator) => Promise<Result>,
): Promise<Result> {
  const defaults = {
    quotas: quotasOf(settings),
    retention: retentionOf(settings),
    spending: spendingOf(settings).limits,
  };
  return withOperatorStore(settings, notify, ({ owner }) =>
    act(createOperator(owner, serviceUrl(settings), defaults)),
  );
}

export async function asModelOperator<Result>(
  settings: Settings,
  notify: (sentence: string) => void,
  act: (operator: ModelOperator) => Promise<Result>,
): Promise<Result> {
  const { operateModels } = await import('./operate-models.ts');
  const { operatorModels } = await import('./operator-models.ts');
  return withOperatorStore(settings, notify, async ({ owner, url }) => {
    const models = await operatorModels(settings, url);
    try {
      return await act(operateModels(owner, operatorActor(), models));
    } finally {
      await models.close();
    }
  });
}

/**
 * Returns the configured URL. Without one, returns the URL of the running service, or else the URL
 * that it would have after a start.
 */
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
  notify: (sentence: string) => void,
): Promise<readonly string[]> {
  return withDatabaseUrl(settings, notify, async (url) => {
    const hold = await DataLock.take({ url, waits: () => notify(restoreUnderWay) });
    try {
      const { applied } = await migrate(url);
      const { migrateQueue } = await import('../platform/jobs/start-queue.ts');
      await migrateQueue(url);
      return applied;
    } finally {
      await hold.release();
    }
  });
}

export async function backup(settings: Settings, file: string, notify: (sentence: string) => void) {
  // Without this check, a wrong folder would give a valid backup of an empty database.
  if (settings.databaseUrl === undefined && readConnectionRecord(settings.dataDir) === undefined) {
    throw new BadSetting(`There is no database in ${settings.dataDir}; name the right --data-dir.`);
  }
  return withDatabaseUrl(settings, notify, async (url) => {
    await connect(url, refuseBeforeBaseLine);
    await refuseDuringKeyChange(url);
    return backupTo(url, file);
  });
}

async function withDatabaseUrl<Result>(
  settings: Settings,
  notify: (sentence: string) => void,
  act: (url: string) => Promise<Result>,
): Promise<Result> {
  const located = await locateDatabase(settings, 'join', notify);
  try {
    return await act(located.url);
  } finally {
    await located.stop();
  }
}

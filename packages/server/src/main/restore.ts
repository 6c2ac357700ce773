/**
 * Restores a backup for the operator. Other processes must have released the data, the current data
 * is backed up first, and the operator must confirm.
 */
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { type BackupReport, backupTo } from '../platform/backup/backup-to.ts';
import { restoreSteps } from '../platform/backup/complete-restore.ts';
import {
  dataUsers,
  lockDataForRestore,
  tryToLockData,
} from '../platform/backup/lock-data-for-restore.ts';
import {
  type RestoreReport,
  restoreFrom,
  type VerifiedBackup,
  verifyBackup,
} from '../platform/backup/restore-from.ts';
import { lastMigration } from '../platform/backup/stored-tables.ts';
import { connect } from '../platform/database/connect.ts';
import {
  latestMigration,
  migrateWithin,
  refuseBeforeBaseLine,
} from '../platform/migrations/migrate.ts';
import { findVault, fittingVault } from './find-vault.ts';
import { type LocatedDatabase, locateDatabase, type Notify } from './locate-database.ts';
import { refuseDuringKeyChange } from './refuse-during-key-change.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

export interface RestoreRequest {
  readonly file: string;
  /**
   * Whether running processes are asked to release the data until the restore ends. If false, a
   * running process makes the restore fail.
   */
  readonly stopOthers: boolean;
  /** The file for the backup of the current data (default: a file beside the restored one). */
  readonly backupFirst?: string | undefined;
  confirm(sentence: string): Promise<boolean>;
}

export interface Restored extends RestoreReport {
  /** The backup of the former data. Undefined if there was none. */
  readonly backup: BackupReport | undefined;
}

/** Returns undefined if the operator declined. */
export async function restore(
  settings: Settings,
  wishes: RestoreRequest,
  notify: Notify,
): Promise<Restored | undefined> {
  findVault(settings);
  const verified = await verifyBackup(wishes.file, latestMigration);
  const located = await locateDatabase(settings, 'join', notify);
  try {
    return await connect(
      located.url,
      (client) => restoreOn(client, { settings, wishes, verified, located, notify }),
      'backup',
    );
  } finally {
    await located.stop();
  }
}

interface Restoring {
  readonly settings: Settings;
  readonly wishes: RestoreRequest;
  readonly verified: VerifiedBackup;
  readonly located: LocatedDatabase;
  readonly notify: Notify;
}

/**
 * Restores on the connection that holds the locks. If that connection ends, the locks end with it,
 * so no other process works during the load.
 */
async function restoreOn(client: pg.Client, restoring: Restoring): Promise<Restored | undefined> {
  const { settings, wishes, verified, located, notify } = restoring;
  await refuseBeforeBaseLine(client);
  refuseOthers(await dataUsers(client), wishes);
  const from = `${wishes.file} of ${verified.header.createdAt}`;
  const question = `All data in ${placeOf(settings)} is replaced by the backup ${from}.`;
  if (!(await wishes.confirm(question))) return undefined;
  const holders = await tryToLockData(client);
  if (holders !== undefined) {
    refuseOthers(holders, wishes);
    notify(`Waiting until ${holders.join(', ')} release the data.`);
    await lockDataForRestore(client);
  }
  await refuseDuringKeyChange(located.url);
  const hasData = (await lastMigration(client)) !== undefined;
  const backup = hasData ? await backupTo(located.url, backupFile(wishes)) : undefined;
  if (backup !== undefined) notify(`The replaced data is in ${backup.file}.`);
  const { remember, complete } = restoreSteps(verified);
  const report = await restoreFrom(client, verified, {
    migrate: migrateWithin,
    refuse: refuseBeforeBaseLine,
    remember,
    async complete(loaded) {
      await refuseOtherKey(settings, loaded);
      await migrateWithin(loaded);
      await complete(loaded);
    },
  });
  return { ...report, backup };
}

function refuseOthers(holders: readonly string[], { stopOthers }: RestoreRequest): void {
  if (holders.length === 0 || stopOthers) return;
  throw new BadSetting(
    `The data is in use by ${holders.join(', ')}, so nothing was restored: stop them first, or add --stop-others, which makes them release it.`,
  );
}

async function refuseOtherKey(settings: Settings, client: pg.Client): Promise<void> {
  const { rows } = await client.query('select key_fingerprint from proofmark.installation');
  const [found] = rows;
  const facts = found && { keyFingerprint: found.key_fingerprint as string };
  const sealedWith = facts && { ...facts, sealedLasting: null, change: null };
  fittingVault(settings, findVault(settings), sealedWith);
}

function backupFile({ file, backupFirst }: RestoreRequest): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return backupFirst ?? join(dirname(file), `before-restore-${time}.backup`);
}

/** The result contains no password. */
function placeOf({ databaseUrl, dataDir }: Settings): string {
  if (databaseUrl === undefined) return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  return `the database ${pathname.slice(1)} at ${host}`;
}

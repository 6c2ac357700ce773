/**
 * Writes `service.json` into the data directory: the service's address and an API key, so that
 * commands find both. Only the file's owner may read it. A hash in the user's own folder lets
 * commands ignore a file that someone else wrote.
 */
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FolderKey,
  makeFolderKey,
  removeFolderKeys,
  revokeFolderKey,
} from '../platform/accounts/store/folder-key.ts';
import type { Database } from '../platform/database/database.ts';
import type { BindAddress } from './bind-address.ts';
import { isForOnePerson } from './is-single-user.ts';
import type { Settings } from './settings.ts';
import { endTrust, sealFile } from './trusted-data-directory.ts';

export interface FolderService {
  /**
   * Writes the file. Called whenever the service's parts start, because a restore may have replaced
   * the keys.
   */
  announce(owner: Database, url: string): Promise<void>;
  /** Removes the file, and revokes the key if the database can be reached. */
  withdraw(database: Database | undefined): Promise<void>;
}

export function folderServiceOf(settings: Settings, bind: BindAddress): FolderService {
  const isAnnounced = settings.databaseUrl === undefined && isForOnePerson(settings, bind);
  const file = join(settings.dataDir, fileName);
  let made: FolderKey | undefined;
  return {
    async announce(owner, url) {
      await removeFolderKeys(owner);
      if (settings.databaseUrl === undefined) rmSync(file, { force: true });
      made = isAnnounced ? await makeFolderKey(owner) : undefined;
      if (made === undefined) return;
      const serviceFile = { url, key: made.key, pid: process.pid };
      const content = `${JSON.stringify(serviceFile, undefined, 2)}\n`;
      sealFile(settings, fileName, content);
      write(file, content);
    },
    async withdraw(database) {
      if (made === undefined) return;
      const ended = made;
      made = undefined;
      rmSync(file, { force: true });
      endTrust(settings, fileName);
      if (database !== undefined) await revokeFolderKey(database, ended);
    },
  };
}

const fileName = 'service.json';

/**
 * Writes the file atomically: readers never see an incomplete file, and other users can never read
 * it.
 */
function write(file: string, content: string): void {
  const unfinished = `${file}.${process.pid}`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, content, { mode: 0o600, flag: 'wx' });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
}

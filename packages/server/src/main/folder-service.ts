/**
 * `service.json` in the data directory says where the service of this folder is and with which key it is asked, so that
 * commands find it by themselves. Only its owner may read it, and its hash is noted in the user's own folder: commands
 * pass over one that no service of this user wrote. There is one only while a service for one person runs on
 * the embedded database: whoever could use it could read that database, too.
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
  /** At every start of what works on the data: a restore may have brought other keys. */
  announce(owner: Database, url: string): Promise<void>;
  /** What it said is no longer so; the key is revoked where the data can be reached. */
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
      const told = { url, key: made.key, pid: process.pid };
      const content = `${JSON.stringify(told, undefined, 2)}\n`;
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

/** In one step: nobody reads half of it, and nobody else reads it at any moment. */
function write(file: string, content: string): void {
  const unfinished = `${file}.${process.pid}`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, content, { mode: 0o600, flag: 'wx' });
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
}

/**
 * Allows one process per data directory. `lock.json` names the holder by process number, start time
 * and boot. So a process that got the same number later is not mistaken for the holder, and the
 * lock of a dead holder is taken over.
 *
 * Races are decided by the file system alone. A lock is written completely under a private name and
 * then hard-linked to its final name, which fails if that name exists. To replace a stale lock S, a
 * process must first link `lock.after-<id of S>`, its claim, and `lock.json` must still be S. The
 * claim of a dead process is a stale lock too, to which the same rule applies.
 */

import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import { openDataDirectory } from './open-data-directory.ts';
import { bootId, processStart } from './process-facts.ts';

export interface DataDirectoryLock {
  release(): void;
  /** Adds the holder's address to the lock, for the message that a second process shows. */
  describe(update: { url: string }): void;
}

export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse';
}

export interface LockHolder {
  id: string;
  pid: number;
  processStart: string;
  bootId: string;
  startedAt: string;
  url?: string;
}

export function lockDataDirectory(
  dataDir: string,
  options: { url?: string } = {},
): DataDirectoryLock {
  const file = join(resolve(dataDir), 'lock.json');
  let own: LockHolder = {
    id: randomUUID(),
    pid: process.pid,
    processStart: processStart(process.pid) ?? '',
    bootId: bootId(),
    startedAt: new Date().toISOString(),
    ...(options.url === undefined ? {} : { url: options.url }),
  };
  // This check comes before any write, so that the error can name the process that holds the
  // directory.
  refuseLiving(resolve(dataDir), readHolder(file));
  const directory = openDataDirectory(dataDir);

  const draft = join(directory, `lock.${own.id}`);
  writeFileSync(draft, format(own));
  try {
    while (!claim(directory, file, draft, own)) {
      // Another process has changed the lock in the meantime, so the lock is read again.
    }
  } finally {
    rmSync(draft, { force: true });
  }
  removeLeftOvers(directory);
  return {
    release() {
      if (readHolder(file)?.id === own.id) rmSync(file, { force: true });
    },
    describe(update) {
      if (readHolder(file)?.id !== own.id) return;
      own = { ...own, url: update.url };
      writeFileSync(draft, format(own));
      renameSync(draft, file);
    },
  };
}

/**
 * Removes files that a process left when it was killed during a write; some of them contain a
 * password or a key.
 */
function removeLeftOvers(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (/^(lock\.final-|(postgres|service|stdio-servers)\.json\.\d+$)/.test(name))
      rmSync(join(directory, name), { force: true });
  }
}

export function livingHolder(dataDir: string): LockHolder | undefined {
  const holder = readHolder(join(resolve(dataDir), 'lock.json'));
  return holder !== undefined && isLiving(holder) ? holder : undefined;
}

/** Returns true if the lock now belongs to this process, and false if the caller must try again. */
function claim(directory: string, file: string, draft: string, own: LockHolder): boolean {
  if (link(draft, file)) return true;
  const stale = readHolder(file);
  if (stale === undefined) return false;
  refuseLiving(directory, stale);

  const claims: string[] = [];
  for (let last = stale; ; ) {
    const after = join(directory, `lock.after-${last.id}`);
    claims.push(after);
    if (link(draft, after)) break;
    const claimant = readHolder(after);
    if (claimant === undefined) return false;
    refuseLiving(directory, claimant);
    last = claimant;
  }
  const unchanged = readHolder(file)?.id === stale.id;
  if (unchanged) {
    const final = join(directory, `lock.final-${own.id}`);
    linkSync(draft, final);
    renameSync(final, file);
    for (const name of claims) rmSync(name, { force: true });
  } else {
    rmSync(claims.at(-1) as string, { force: true });
  }
  return unchanged;
}

function link(existing: string, name: string): boolean {
  try {
    linkSync(existing, name);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Returns the holder in a lock file. An incomplete file, which a power failure can leave, counts as
 * the lock of a dead holder.
 */
function readHolder(file: string): LockHolder | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const holder = JSON.parse(text) as LockHolder;
    if (typeof holder.id === 'string' && typeof holder.pid === 'number') return holder;
  } catch {
    // Invalid JSON is handled below, like JSON without the fields of a holder.
  }
  const id = `unreadable-${sha256Hex(text)}`;
  return { id, pid: 0, processStart: '', bootId: '', startedAt: '' };
}

function isLiving(holder: LockHolder): boolean {
  return holder.bootId === bootId() && processStart(holder.pid) === holder.processStart;
}

function refuseLiving(directory: string, holder: LockHolder | undefined): void {
  if (holder === undefined || !isLiving(holder)) return;
  const at = holder.url === undefined ? '' : ` at ${holder.url}`;
  throw new DataDirectoryInUse(
    `The data directory ${directory} is in use by process ${holder.pid}${at} since ${holder.startedAt}: use that one, stop it first, or choose another directory with --data-dir.`,
  );
}

function format(holder: LockHolder): string {
  return `${JSON.stringify(holder, undefined, 2)}\n`;
}

/**
 * The one secret of an installation: 32 bytes in the environment or in a file of mode 600, never in
 * the database. All other secrets are derived from it. A key that is short, obvious or readable by
 * others stops the start.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchownSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export class BadSecretKey extends Error {}

export function parseSecretKey(text: string, where: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-fA-F]{64}$/.test(trimmed)
    ? Buffer.from(trimmed, 'hex')
    : Buffer.from(/^[A-Za-z0-9+/]{43}=$/.test(trimmed) ? trimmed : '', 'base64');
  if (key.length !== 32) {
    throw new BadSecretKey(
      `${where} must hold 32 bytes in base64 or hex; make one with: openssl rand -base64 32`,
    );
  }
  if (new Set(key).size < 12) {
    throw new BadSecretKey(
      `${where} holds a key that is too easy to guess; make one with: openssl rand -base64 32`,
    );
  }
  return key;
}

/**
 * Returns the key in the file; undefined if there is no file. A file that others can read is
 * rejected, since its key may be known.
 */
export function loadSecretKey(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  if ((statSync(file).mode & 0o077) !== 0) {
    throw new BadSecretKey(`${file} can be read by others; run: chmod 600 ${file}`);
  }
  return parseSecretKey(readFileSync(file, 'utf8'), file);
}

/**
 * Replaces the file in one step, so that a killed process leaves either the old or the new key, and
 * flushes it to disk before it is used.
 */
export function replaceSecretKey(file: string, key: Buffer): void {
  const { uid, gid } = statSync(file);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const handle = openSync(draft, 'wx', 0o600);
  try {
    writeSync(handle, `${key.toString('base64')}\n`);
    fchownSync(handle, uid, gid);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/**
 * Two processes may start together on an empty folder: linking the complete file lets only one
 * succeed.
 */
export function createSecretKey(file: string): Buffer {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return loadSecretKey(file) as Buffer;
}

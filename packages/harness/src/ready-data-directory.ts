/**
 * Copies a data directory whose database is already created and migrated. Tests use it if the first
 * start does not matter to them.
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFileSync, mkdirSync } from 'node:fs';
import { inject } from 'vitest';
import {
  type ConnectionRecord,
  clusterOf,
  readConnectionRecord,
  writeConnectionRecord,
} from '../../server/src/platform/embedded/connection-file.ts';

/**
 * The copy gets its own port. File owners are preserved, because a database started by root belongs
 * to another user.
 */
export function copyReadyDataDirectory(target: string): ConnectionRecord {
  mkdirSync(target, { recursive: true });
  execFileSync('cp', ['-a', `${inject('readyDataDirectory')}/.`, target]);
  const record = readConnectionRecord(target);
  if (record === undefined) throw new Error('There is no database to copy.');
  const own = { ...record, port: randomInt(20_000, 32_000) };
  writeConnectionRecord(target, own);
  return own;
}

/**
 * Turns `fsync` off. If many browser tests write at once, waiting for the disk may exceed the time
 * limit of a call. No test simulates a power failure, so nothing is lost.
 */
export function copyQuickDataDirectory(target: string): void {
  const record = copyReadyDataDirectory(target);
  appendFileSync(`${clusterOf(target, record)}/postgresql.auto.conf`, 'fsync = off\n');
}

/**
 * Copies a data directory whose database is already created and migrated, for tests that are not
 * about the first start.
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
 * Copies the directory and gives the copy its own port. File owners are preserved, because a
 * database that root starts belongs to another user.
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
 * Copies the directory and turns `fsync` off. If many browser tests write at once, waiting for the
 * disk may take longer than a call of the service is allowed to. No test cuts the power.
 */
export function copyQuickDataDirectory(target: string): void {
  const record = copyReadyDataDirectory(target);
  appendFileSync(`${clusterOf(target, record)}/postgresql.auto.conf`, 'fsync = off\n');
}

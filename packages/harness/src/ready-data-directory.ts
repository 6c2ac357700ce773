/**
 * A data directory with a created and migrated database, for tests that are not about a first
 * start.
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
 * Copies it with the owners of its files, since root's database belongs to another user, and with
 * its own port.
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
 * Copies it with a database that does not wait for the disk. If many journeys write at once, a disk
 * may block longer than a call of the service may take, and no test cuts the power.
 */
export function copyQuickDataDirectory(target: string): void {
  const record = copyReadyDataDirectory(target);
  appendFileSync(`${clusterOf(target, record)}/postgresql.auto.conf`, 'fsync = off\n');
}

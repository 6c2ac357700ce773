/** For tests that are not about a first start: a data directory in which the database is made and migrated already. */
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

/** With the owners of its files, since root's database belongs to another user, and with a port of its own. */
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
 * The same with a database that waits for no disk. Where many journeys write at once a disk stands still for longer than
 * a call of the service may take, and no test pulls the plug.
 */
export function copyQuickDataDirectory(target: string): void {
  const record = copyReadyDataDirectory(target);
  appendFileSync(`${clusterOf(target, record)}/postgresql.auto.conf`, 'fsync = off\n');
}

/** For tests that are not about a first start: a data directory in which the database is made and migrated already. */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { inject } from 'vitest';
import {
  readConnectionRecord,
  writeConnectionRecord,
} from '../../server/src/storage/embedded/connection-file.ts';

/** With the owners of its files, since root's database belongs to another user, and with a port of its own. */
export function copyReadyDataDirectory(target: string): void {
  mkdirSync(target, { recursive: true });
  execFileSync('cp', ['-a', `${inject('readyDataDirectory')}/.`, target]);
  const record = readConnectionRecord(target);
  if (record === undefined) throw new Error('There is no database to copy.');
  writeConnectionRecord(target, { ...record, port: randomInt(20_000, 32_000) });
}

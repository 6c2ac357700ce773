/**
 * Creates a test directory that every user can enter. Tests run by root start the database as
 * another user, which needs access.
 */
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryDirectory {
  path: string;
  remove(): void;
}

export function temporaryDirectory(mode = 0o711, parent = tmpdir()): TemporaryDirectory {
  const path = realpathSync(mkdtempSync(join(parent, 'proofmark-test-')));
  chmodSync(path, mode);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

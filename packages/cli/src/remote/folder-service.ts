/**
 * The service of this folder: `proofmark serve` says in `.proofmark/service.json` where it is and with which key it is asked.
 * The file is looked for in the working folder and the folders above it, as npm looks for package.json. One that somebody
 * else could have written is passed over, and so is one whose process has gone.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@proofmark/domain';

export interface FolderService {
  readonly url: string;
  readonly key: string;
  /** Where its data is. */
  readonly dataDir: string;
}

export function findFolderService(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): FolderService | undefined {
  const named = environment['PROOFMARK_DATA_DIR'];
  if (named) return readServiceFile(path.resolve(folder, named));
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const found = readServiceFile(path.join(at, '.proofmark'));
    if (found !== undefined || at === path.dirname(at)) return found;
  }
}

function readServiceFile(dataDir: string): FolderService | undefined {
  const file = path.join(dataDir, 'service.json');
  try {
    if (!isOnlyOurs(file)) return undefined;
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isRecord(content)) return undefined;
    const { url, key, pid } = content;
    const isWhole = typeof url === 'string' && typeof key === 'string' && typeof pid === 'number';
    return isWhole && isAlive(pid) ? { url, key, dataDir } : undefined;
  } catch {
    // There is none, or it cannot be read: then there is no service of this folder that could be asked.
    return undefined;
  }
}

function isOnlyOurs(file: string): boolean {
  const { mode, uid } = statSync(file);
  return uid === process.getuid?.() && (mode & 0o077) === 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the service of this folder by `.proofmark/service.json` in the working folder or its
 * parents. The key is sent to the address in that file, and an untrusted checkout may contain any
 * file. So the file counts only if its hash is stored in the user's own folder.
 */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isRecord, trustedHashFile, userFolder } from '@proofmark/domain';
import { isPrivateFile } from './is-private-file.ts';

export interface FolderService {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
}

export function findFolderService(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): FolderService | undefined {
  const stateFolder = userFolder('state', environment, homedir(), process.platform);
  const named = environment['PROOFMARK_DATA_DIR'];
  if (named) return readServiceFile(path.resolve(folder, named), stateFolder);
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const found = readServiceFile(path.join(at, '.proofmark'), stateFolder);
    if (found !== undefined || at === path.dirname(at)) return found;
  }
}

/**
 * `stateFolder` contains the file's hash. It is undefined if this process started the service and
 * no hash is needed.
 */
export function readServiceFile(
  dataDir: string,
  stateFolder: string | undefined,
): FolderService | undefined {
  const file = path.join(dataDir, fileName);
  try {
    const text = readFileSync(file, 'utf8');
    if (!isPrivateFile(file)) return undefined;
    if (stateFolder !== undefined && !isSealed(dataDir, text, stateFolder)) return undefined;
    const content: unknown = JSON.parse(text);
    if (!isRecord(content)) return undefined;
    const { url, key, pid } = content;
    const isWhole = typeof url === 'string' && typeof key === 'string' && isPid(pid);
    return isWhole && isAlive(pid) ? { url, key, dataDir } : undefined;
  } catch {
    // The file is absent or unreadable, so this folder has no service.
    return undefined;
  }
}

const fileName = 'service.json';

/**
 * Whether the stored hash matches the file. The hash is stored by path, and the last component is
 * not resolved, so a link to another folder's data does not match.
 */
function isSealed(dataDir: string, text: string, stateFolder: string): boolean {
  const place = path.join(realpathSync(path.dirname(dataDir)), path.basename(dataDir));
  const seal = trustedHashFile(stateFolder, place, fileName, sha256Hex);
  return isPrivateFile(seal) && readFileSync(seal, 'utf8').trim() === sha256Hex(text);
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Rejects 0 and negative numbers. `kill` interprets them as process groups, which always exist, so
 * the service would seem alive.
 */
function isPid(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds this folder's service. `proofmark serve` writes its address and key to
 * `.proofmark/service.json`, which is searched for in the working folder and its parents, like
 * npm's package.json. The key is sent to the address in the file, and a foreign checkout may
 * contain any file. So the file counts only if its hash is stored in the user's own folder, where
 * only this user's service writes. A file whose process has ended is ignored too.
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
  /** The data directory of the service. */
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
 * Reads the service file. `stateFolder` is where its hash is stored; undefined if this process
 * itself started the service, which needs no such proof.
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
    // Without a readable service file there is no service for this folder.
    return undefined;
  }
}

const fileName = 'service.json';

/**
 * Returns whether the hash stored in the user's folder matches the file. The hash is stored under
 * the path as named, so a link to another folder's data does not match.
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
 * Rejects 0 and negative numbers: `kill` takes them for process groups, which always exist, so the
 * service would seem alive.
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

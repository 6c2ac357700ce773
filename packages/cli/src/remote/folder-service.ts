/**
 * The service of this folder: `proofmark serve` says in `.proofmark/service.json` where it is and with which key it is asked.
 * The file is looked for in the working folder and the folders above it, as npm looks for package.json. A key goes where
 * the file says, so the file counts only where its hash is noted in the user's own folder, as the service of this user
 * notes it: a checkout can bring any file, with any mode. One whose process has gone is passed over, too.
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
  /** Where its data is. */
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

/** `stateFolder`: nothing where this process started the service itself. */
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
    // There is none, or it cannot be read: then there is no service of this folder that could be asked.
    return undefined;
  }
}

const fileName = 'service.json';

/** The place as it is named: a link to the data of another folder is a place of its own. */
function isSealed(dataDir: string, text: string, stateFolder: string): boolean {
  const place = path.join(realpathSync(path.dirname(dataDir)), path.basename(dataDir));
  const seal = trustedHashFile(stateFolder, place, fileName, sha256Hex);
  return isPrivateFile(seal) && readFileSync(seal, 'utf8').trim() === sha256Hex(text);
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A signal to 0 or less reaches whole groups, which are always alive. */
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

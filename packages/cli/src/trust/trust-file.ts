/**
 * Permissions that this user has given to folders. They are in a private file `trust.json` in the
 * user's settings folder. The file is ignored if other users could have written it.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import {
  emptyTrustStore,
  isTrusted,
  readTrustStore,
  type ThingToTrust,
  type TrustStore,
  trustHash,
  userFolder,
  withTrust,
} from '@proofmark/domain';
import { UsageProblem } from '../remote/exit-codes.ts';
import { isPrivateFile } from '../remote/is-private-file.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function trustFile(environment: Environment): string {
  return path.join(userFolder('config', environment, homedir(), process.platform), 'trust.json');
}

export function untrustedOf<Thing extends ThingToTrust>(
  things: readonly Thing[],
  folder: string,
  environment: Environment,
): Thing[] {
  const store = read(trustFile(environment));
  const place = realpathSync(folder);
  return things.filter((thing) => !isTrusted(store, place, hashOf(thing)));
}

export function hashOf({ stated }: ThingToTrust): string {
  return trustHash(stated, sha256Hex);
}

export function rememberTrust(
  things: readonly ThingToTrust[],
  folder: string,
  environment: Environment,
): void {
  const file = trustFile(environment);
  const trusted = things.map((thing) => ({ hash: hashOf(thing), shown: thing.shown }));
  const beside = `${file}.${process.pid}`;
  try {
    const store = withTrust(read(file), realpathSync(folder), trusted);
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(beside, `${JSON.stringify(store, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageProblem(
      `${file} cannot be written (${code ?? 'unknown reason'}), so the answer cannot be remembered; PROOFMARK_TRUST=1 allows it once.`,
    );
  } finally {
    rmSync(beside, { force: true });
  }
}

function read(file: string): TrustStore {
  try {
    return isPrivateFile(file)
      ? readTrustStore(JSON.parse(readFileSync(file, 'utf8')))
      : emptyTrustStore;
  } catch {
    // A missing or invalid file counts as no permissions.
    return emptyTrustStore;
  }
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

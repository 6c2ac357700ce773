/**
 * The programs and settings from a folder's files that a person allowed. A folder is identified by
 * its real path, and each program or setting by the SHA-256 of its canonical JSON. Each has its own
 * entry, so that after a change only the changed one needs new consent.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import { isRecord } from '../kernel/json.ts';

/** A program as its file states it, before variables are filled in. */
export interface StatedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly string[] | Readonly<Record<string, unknown>>;
  readonly cwd: string;
}

/**
 * Any other setting in a file that needs consent, such as an address that receives keys, a binary,
 * or a data directory.
 */
export interface StatedSetting {
  readonly setting: string;
  readonly value: unknown;
}

export interface ThingToTrust {
  readonly stated: StatedProgram | StatedSetting;
  /** The text that a person sees, without secrets. */
  readonly shown: string;
}

export interface TrustedThing {
  readonly hash: string;
  readonly shown: string;
}

export interface TrustStore {
  readonly version: 1;
  readonly folders: Readonly<Record<string, readonly TrustedThing[]>>;
}

export const emptyTrustStore: TrustStore = { version: 1, folders: {} };

export function trustHash(
  stated: StatedProgram | StatedSetting,
  sha256Hex: (text: string) => string,
): string {
  return sha256Hex(canonicalJson([stated]));
}

/** Reads the store. A store with an unknown format allows nothing. */
export function readTrustStore(content: unknown): TrustStore {
  if (!isRecord(content) || content['version'] !== 1) return emptyTrustStore;
  const { folders } = content;
  const entries = Object.entries(isRecord(folders) ? folders : {}).map(([folder, things]) => {
    const read = (Array.isArray(things) ? things : []).filter(isTrustedThing);
    return [folder, read.map(({ hash, shown }) => ({ hash, shown }))] as const;
  });
  return { version: 1, folders: Object.fromEntries(entries) };
}

function isTrustedThing(value: unknown): value is TrustedThing {
  return isRecord(value) && typeof value['hash'] === 'string' && typeof value['shown'] === 'string';
}

export function isTrusted(store: TrustStore, folder: string, hash: string): boolean {
  const things = Object.hasOwn(store.folders, folder) ? store.folders[folder] : undefined;
  return things?.some((thing) => thing.hash === hash) ?? false;
}

export function withTrust(
  store: TrustStore,
  folder: string,
  things: readonly TrustedThing[],
): TrustStore {
  const known = Object.hasOwn(store.folders, folder) ? (store.folders[folder] ?? []) : [];
  const others = known.filter(({ hash }) => things.every((thing) => thing.hash !== hash));
  return { version: 1, folders: { ...store.folders, [folder]: [...others, ...things] } };
}

export function shownCommand(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(' ');
}

/**
 * Opens the vault (the encryption keys) of this installation. The secret key comes from the
 * environment or the key file. A key file is created only if the database contains no encrypted
 * data, because a new key could not decrypt old data.
 */
import { join } from 'node:path';
import { type KeyFacts, learnKeys } from '../platform/database/key-facts.ts';
import { openDataDirectory } from '../platform/embedded/open-data-directory.ts';
import { createSecretKey, loadSecretKey, parseSecretKey } from '../platform/vault/secret-key.ts';
import { createVault, type Vault } from '../platform/vault/vault.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

/**
 * Returns undefined if no key is configured. Must be called before anything else is started, so
 * that an invalid key stops the start.
 */
export function findVault(settings: Settings): Vault | undefined {
  const key =
    settings.secretKey === undefined
      ? loadSecretKey(keyFile(settings))
      : parseSecretKey(settings.secretKey, 'PROOFMARK_SECRET_KEY');
  return key && createVault(key);
}

/**
 * Returns the vault whose key fits the encrypted data of the database. If there is neither a key
 * nor encrypted data, it creates a key.
 */
export function fittingVault(
  settings: Settings,
  found: Vault | undefined,
  sealedWith: KeyFacts | undefined,
  otherKeys: readonly { readonly secretKey: Buffer }[] = [],
): Vault {
  if (found === undefined && sealedWith === undefined) {
    openDataDirectory(settings.dataDir);
    return createVault(createSecretKey(keyFile(settings)));
  }
  if (found === undefined) {
    throw new BadSetting(
      `The secrets in this database are sealed, and there is no ${keyFile(settings)}. ${help}`,
    );
  }
  if (sealedWith === undefined) return found;
  const fitting = [found, ...otherKeys.map(({ secretKey }) => createVault(secretKey))].find(
    (vault) => learnKeys(vault, sealedWith),
  );
  if (fitting === undefined) throw new BadSetting(sealedWithAnother);
  return fitting;
}

/**
 * Returns undefined if the key comes from the environment, because there is then no file to read.
 */
export function keyFileReader(settings: Settings): (() => Buffer | undefined) | undefined {
  return settings.secretKey === undefined ? () => loadSecretKey(keyFile(settings)) : undefined;
}

const help = 'Set PROOFMARK_SECRET_KEY to that key, or put its secret.key into the data directory.';
export const sealedWithAnother = `The secrets in this database are sealed with another key. ${help}`;

export function keyFile(settings: Settings): string {
  return join(settings.dataDir, 'secret.key');
}

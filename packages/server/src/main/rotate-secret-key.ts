import { randomBytes } from 'node:crypto';
import { insertAuditLine } from '../platform/accounts/store/audit-log.ts';
import { readKeyFacts } from '../platform/database/key-facts.ts';
import { changeKey, type KeyChangeReport } from '../platform/keys/change-key.ts';
import { deriveKeys } from '../platform/vault/derived-keys.ts';
import { createSecretKey, loadSecretKey, replaceSecretKey } from '../platform/vault/secret-key.ts';
import { keyFile } from './find-vault.ts';
import type { Store } from './open-store.ts';
import { operatorActor } from './operator-input.ts';
import { sealedColumns } from './sealed-columns.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';
import { withOperatorStore } from './with-operator-store.ts';

export interface RotatedKey extends KeyChangeReport {
  readonly file: string;
}

export async function rotateSecretKey(
  settings: Settings,
  newKeyFile: string | undefined,
  notify: (sentence: string) => void,
): Promise<RotatedKey> {
  const isInFile = settings.secretKey === undefined;
  if (isInFile !== (newKeyFile === undefined)) throw new BadSetting(isInFile ? noFile : needsFile);
  const file = newKeyFile ?? keyFile(settings);
  return withOperatorStore(settings, notify, async (store) => {
    const newKey = isInFile ? randomBytes(32) : await keyToChangeTo(store, file);
    const report = await changeKey(store.owner, {
      columns: sealedColumns,
      newKey,
      keepKey(key) {
        if (isInFile && !loadSecretKey(file)?.equals(key)) replaceSecretKey(file, key);
      },
    });
    await store.owner.transaction((sql) =>
      insertAuditLine(sql, { ...operatorActor(), ...keyChanged }),
    );
    return { ...report, file };
  });
}

/** The audit line for a key change, which belongs to no organization. */
const keyChanged = {
  organizationId: null,
  projectId: null,
  action: 'installation.keyChanged',
  subjectId: 'secretKey',
  details: null,
} as const;

/**
 * Reads the new key from the file, or generates a key and writes it there. An interrupted key
 * change must continue with the same key.
 */
async function keyToChangeTo({ owner }: Store, file: string): Promise<Buffer> {
  const key = loadSecretKey(file) ?? createSecretKey(file);
  const { fingerprint } = deriveKeys(key);
  const facts = await readKeyFacts(owner.sql);
  const wanted = facts?.change?.newFingerprint;
  if (wanted !== undefined && wanted !== fingerprint) {
    throw new BadSetting(
      `A change to a different key than the one in ${file} is in progress; name the file of that key.`,
    );
  }
  if (wanted === undefined && owner.vault.fingerprint === fingerprint) {
    throw new BadSetting(`${file} holds the key that is in use; name a file that does not exist.`);
  }
  return key;
}

const needsFile =
  'The secret key comes from PROOFMARK_SECRET_KEY; name a file for the new one with --new-key-file.';
const noFile = 'The secret key comes from its file, which is replaced; leave --new-key-file out.';

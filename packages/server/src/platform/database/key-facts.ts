/**
 * The secret keys of the database: one, or both the old and the new key while the key is being
 * changed. During a change each key is stored encrypted with the other, so that a process with
 * either key can read all values. Both copies are deleted at the end of the change.
 */

import { deriveKeys, readLasting } from '../vault/derived-keys.ts';
import { createVault, type SealedField, type Vault } from '../vault/vault.ts';
import { connect } from './connect.ts';
import type { Sql } from './sql.ts';

export interface KeyFacts {
  readonly keyFingerprint: string;
  readonly sealedLasting: Buffer | null;
  readonly change: KeyChange | null;
}

export interface KeyChange {
  readonly oldFingerprint: string;
  readonly newFingerprint: string;
  readonly sealedNewKey: Buffer;
  readonly sealedOldKey: Buffer;
}

interface FactsRow extends Partial<KeyChange> {
  readonly keyFingerprint: string;
  readonly sealedLasting: Buffer | null;
}

const factsQuery = `
  select key_fingerprint as "keyFingerprint", sealed_lasting_secrets as "sealedLasting",
    old_fingerprint as "oldFingerprint", new_fingerprint as "newFingerprint",
    sealed_new_key as "sealedNewKey", sealed_old_key as "sealedOldKey"
  from proofmark.installation left join proofmark.key_changes on true`;

/** Reads which keys the database uses; returns undefined if no start has stored a key yet. */
export async function readKeyFacts(sql: Sql): Promise<KeyFacts | undefined> {
  const [row] = await sql.unsafe<FactsRow[]>(factsQuery);
  return row && factsOf(row);
}

/** Reads the keys of the database without a vault, since creating a vault requires them first. */
export async function findKeyFacts(url: string): Promise<KeyFacts | undefined> {
  const { rows } = await connect(url, (client) => client.query<FactsRow>(factsQuery));
  return rows[0] && factsOf(rows[0]);
}

/** Returns whether a key change is under way; false for a database without Proofmark's tables. */
export async function isKeyChanging(url: string): Promise<boolean> {
  return connect(url, async (client) => {
    const known = await client.query(
      `select to_regclass('proofmark.key_changes') is not null as yes`,
    );
    if (!known.rows[0].yes) return false;
    return (await client.query('select from proofmark.key_changes')).rows.length > 0;
  });
}

function factsOf({ keyFingerprint, sealedLasting, ...change }: FactsRow): KeyFacts {
  const isUnderWay = change.oldFingerprint != null;
  return { keyFingerprint, sealedLasting, change: isUnderWay ? (change as KeyChange) : null };
}

/**
 * Makes the vault use the keys of the database. Returns false if they cannot be derived from the
 * vault's keys and those in `more`.
 */
export function learnKeys(vault: Vault, facts: KeyFacts, more: readonly Buffer[] = []): boolean {
  const known = [...vault.keys, ...more.map(deriveKeys)];
  const keyOf = (fingerprint: string) => known.find((one) => one.fingerprint === fingerprint);
  const { change } = facts;
  if (change === null) {
    const current = keyOf(facts.keyFingerprint);
    if (current === undefined) return false;
    vault.useKeys([current]);
  } else {
    const [before, after] = [keyOf(change.oldFingerprint), keyOf(change.newFingerprint)];
    if (before === undefined && after === undefined) return false;
    const opened = (key: Buffer, sealed: Buffer, field: SealedField) =>
      deriveKeys(Buffer.from(createVault(key).open(sealed, field), 'base64'));
    const old = before ?? opened((after as KeyHolder).secretKey, change.sealedOldKey, oldKeyField);
    const next = after ?? opened(old.secretKey, change.sealedNewKey, newKeyField);
    vault.useKeys([next, old]);
  }
  if (facts.sealedLasting !== null) {
    vault.useLasting(readLasting(vault.open(facts.sealedLasting, lastingField)));
  }
  return true;
}

type KeyHolder = Vault['keys'][number];

const installationField = { organizationId: '', rowId: 'installation' };
export const newKeyField = { ...installationField, field: 'newSecretKey' };
export const oldKeyField = { ...installationField, field: 'oldSecretKey' };
export const lastingField = { ...installationField, field: 'lastingSecrets' };

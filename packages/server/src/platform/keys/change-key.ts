/**
 * Changes the secret key while the service runs. Once a change has begun, the database accepts only
 * values that are encrypted with the new key. All values with the old key are then encrypted again,
 * some rows at a time, and at the end the old key is deleted. If the process is killed, all values
 * can still be read, and the next call continues the change.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Sql } from '../database/database.ts';
import { lastingField, newKeyField, oldKeyField, readKeyFacts } from '../database/key-facts.ts';
import { betweenLooksMs } from '../database/key-watch.ts';
import { deriveKeys, writeLasting } from '../vault/derived-keys.ts';
import { createVault, type SealedField, type Vault } from '../vault/vault.ts';

/**
 * A column of encrypted values. Each value is bound to fields of its row: a copy in another row
 * cannot be decrypted.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly id: string;
  readonly boundTo: readonly string[];
  fieldOf(row: SealedRow): SealedField;
}

export type SealedRow = Readonly<Record<string, string | null>> & { readonly id: string };

export interface KeyChangeOptions {
  readonly columns: readonly SealedColumn[];
  /**
   * The new key. It is ignored if an unfinished change exists: that change continues with the key
   * with which it began.
   */
  readonly newKey: Buffer;
  /**
   * The minimum duration of a change in milliseconds, by the database's clock. Every process must
   * look up the keys within this time.
   */
  readonly noticeMs?: number;
  /**
   * Stores the new key for the next start of the service. Called after all values are encrypted
   * with the new key; may be called more than once.
   */
  keepKey(newKey: Buffer): void;
}

export interface KeyChangeReport {
  readonly sealed: number;
  /**
   * The number of values that neither key can decrypt, by table and column. They stay unchanged.
   */
  readonly unreadable: readonly { readonly place: string; readonly count: number }[];
}

export async function changeKey(
  owner: Database,
  options: KeyChangeOptions,
): Promise<KeyChangeReport> {
  const facts = await readKeyFacts(owner.sql);
  if (facts?.change == null) await begin(owner, options.newKey);
  // From here on, the vault encrypts with the new key and decrypts with both keys.
  await owner.keys.look();
  const unreadable: { place: string; count: number }[] = [];
  let sealed = 0;
  for (const column of options.columns) {
    const outcome = await sealColumn(owner, column);
    sealed += outcome.sealed;
    const place = `${column.table}.${column.column}`;
    if (outcome.unreadable > 0) unreadable.push({ place, count: outcome.unreadable });
  }
  await waitUntilNoticed(owner, options.noticeMs ?? defaultNoticeMs);
  options.keepKey(firstKeyOf(owner.vault).secretKey);
  await finish(owner, options, unreadable);
  await owner.keys.look();
  return { sealed, unreadable };
}

/**
 * Begins a change. The statement waits for transactions that are writing an encrypted value;
 * transactions that start later see the change.
 */
async function begin(owner: Database, newKey: Buffer): Promise<void> {
  const current = firstKeyOf(owner.vault);
  const next = deriveKeys(newKey);
  const nextVault = createVault(newKey);
  await owner.transaction(async (sql) => {
    const begun = await sql`
      insert into key_changes (old_fingerprint, new_fingerprint, sealed_new_key, sealed_old_key)
      values (${current.fingerprint}, ${next.fingerprint},
        ${owner.vault.seal(newKey.toString('base64'), newKeyField)},
        ${nextVault.seal(current.secretKey.toString('base64'), oldKeyField)})
      on conflict do nothing`;
    // Another process has already begun a change, and this call continues that change.
    if (begun.count === 0) return;
    const changed = await sql`
      update installation set sealing_key_id = ${next.id},
        sealed_lasting_secrets = ${nextVault.seal(writeLasting(owner.vault.lasting), lastingField)}
      where key_fingerprint = ${current.fingerprint}`;
    // The data has another key than this process. Encrypting it again from the key of this process
    // would make the data unreadable.
    if (changed.count === 0) throw new Error(sealedWithAnother);
  }, 'slow');
}

async function sealColumn(
  owner: Database,
  column: SealedColumn,
): Promise<{ readonly sealed: number; readonly unreadable: number }> {
  let [sealed, unreadable] = [0, 0];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const some = await owner.transaction((sql) => sealSome(sql, owner.vault, column, from), 'slow');
    sealed += some.sealed;
    unreadable += some.unreadable;
    after = some.last;
  }
  return { sealed, unreadable };
}

async function sealSome(
  sql: Sql,
  vault: Vault,
  { table, column, id, boundTo, fieldOf }: SealedColumn,
  after: string,
) {
  // The statement text contains only names of Proofmark's tables and columns; values are passed as
  // parameters.
  const rows = await sql.written<(SealedRow & { readonly sealedValue: Buffer })[]>(
    `select ${[`${id} as id`, `${column} as sealed_value`, ...boundTo].join(', ')} from ${table}
    where ${id} > $1 and substr(${column}, 2, 4) <> $2 order by ${id} limit ${atOnce} for update`,
    [after, firstKeyOf(vault).id],
  );
  let sealed = 0;
  for (const row of rows) {
    const plain = openIfPossible(vault, row.sealedValue, fieldOf(row));
    if (plain === undefined) continue;
    const again = vault.seal(plain, fieldOf(row));
    await sql.written(`update ${table} set ${column} = $1 where ${id} = $2`, [again, row.id]);
    sealed += 1;
  }
  const last = rows.length < atOnce ? undefined : rows.at(-1)?.id;
  return { sealed, unreadable: rows.length - sealed, last };
}

/**
 * Decrypts a value; returns undefined if the value was moved or altered by hand, so that it could
 * not be decrypted before either.
 */
function openIfPossible(vault: Vault, sealed: Buffer, field: SealedField): string | undefined {
  try {
    return vault.open(sealed, field);
  } catch {
    return undefined;
  }
}

/**
 * Waits until every process has had time to look up the keys. A process that is paused for longer
 * must be restarted with the new key.
 */
async function waitUntilNoticed({ sql }: Database, noticeMs: number): Promise<void> {
  const [change] = await sql<{ ageMs: number }[]>`
    select (extract(epoch from clock_timestamp() - started_at) * 1000)::float8 as age_ms from key_changes`;
  if (change !== undefined) await pause(Math.max(0, noticeMs - change.ageMs));
}

/**
 * Ends a change. Throws if a value is left with the old key, except for the values that could not
 * be decrypted.
 */
async function finish(
  owner: Database,
  options: Pick<KeyChangeOptions, 'columns'>,
  unreadable: KeyChangeReport['unreadable'],
): Promise<void> {
  const { id, fingerprint } = firstKeyOf(owner.vault);
  await owner.transaction(async (sql) => {
    for (const { table, column } of options.columns) {
      const [left] = await sql.written<{ count: string }[]>(
        `select count(*) from ${table} where substr(${column}, 2, 4) <> $1`,
        [id],
      );
      const place = `${table}.${column}`;
      const known = unreadable.find((one) => one.place === place)?.count ?? 0;
      if (Number(left?.count) > known)
        throw new Error(
          `Some values of ${place} are not encrypted with the new key; run proofmark admin rotate-secret-key again.`,
        );
    }
    await sql`update installation set key_fingerprint = ${fingerprint}`;
    await sql`delete from key_changes`;
  }, 'slow');
}

/** Returns the key that encrypts. During a change that is the new key. */
function firstKeyOf(vault: Vault): Vault['keys'][number] {
  const [key] = vault.keys;
  if (key === undefined) throw new Error('Internal fault: no secret key is open.');
  return key;
}

const sealedWithAnother =
  'The data is sealed with a key that this process does not know, so no key was changed: try again.';
const atOnce = 100;
/**
 * Three times the lookup interval of a process, so that each process looks up the keys during a
 * change.
 */
const defaultNoticeMs = 3 * betweenLooksMs;

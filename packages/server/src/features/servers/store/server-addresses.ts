/**
 * The addresses of a saved server, sealed together: a URL may hold secrets. Rows from before are sealed at a start, a few
 * at a time; until then they are read as they stand.
 */
import type { SavedServer } from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { addressesField } from './sealed-fields.ts';

export interface SealedAddresses {
  readonly sealedAddresses: Buffer | null;
}

type Addresses = Pick<SavedServer, 'url' | 'oauthResourceUrl'>;
type Addressed = Addresses & Pick<SavedServer, 'id' | 'organizationId'>;

export function sealAddresses(vault: Vault, server: Addressed): Buffer {
  const { url, oauthResourceUrl } = server;
  return vault.seal(JSON.stringify({ url, oauthResourceUrl }), addressesField(server));
}

export function openAddresses<Stored extends Addressed & SealedAddresses>(
  vault: Vault,
  { sealedAddresses, ...stored }: Stored,
): Omit<Stored, 'sealedAddresses'> {
  if (sealedAddresses === null) return stored;
  const text = vault.open(sealedAddresses, addressesField(stored));
  return { ...stored, ...(JSON.parse(text) as Addresses) };
}

/** Says how many there were. What is left of them in files is for `forgetOldAddresses`. */
export async function sealOldAddresses(owner: Database): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await owner.transaction((sql) => sealSome(sql, owner.vault), 'slow');
    if (count === 0) break;
    sealed += count;
  }
  return sealed;
}

/**
 * Writes the last versions of the rows out, so that no file keeps the old ones. Says whether that is done: while the
 * table is in use it may not be, and the next start tries again. Rows are few and short.
 */
export async function forgetOldAddresses({ sql }: Database): Promise<boolean> {
  const [table] = await sql`select obj_description('servers'::regclass) as comment`;
  if (table?.['comment'] !== keptInFiles) return true;
  try {
    await sql.unsafe('vacuum full servers');
  } catch {
    return false;
  }
  await sql.unsafe('comment on table servers is null');
  return true;
}

async function sealSome(sql: Sql, vault: Vault): Promise<number> {
  const rows = await sql<Addressed[]>`
    select id, organization_id, url, oauth_resource_url from servers
    where url is not null or oauth_resource_url is not null
    order by id limit ${atOnce} for update`;
  for (const row of rows) {
    await sql`
      update servers set sealed_addresses = ${sealAddresses(vault, row)}, url = null, oauth_resource_url = null
      where id = ${row.id}`;
  }
  if (rows.length > 0) await sql.unsafe(`comment on table servers is '${keptInFiles}'`);
  return rows.length;
}

/** Stands at the table from the first row that is sealed until the old ones are gone. */
const keptInFiles = 'Files of this table keep addresses from before they were sealed.';

const atOnce = 100;

/**
 * The addresses of a saved server, sealed together, because a URL may contain secrets. Rows from
 * earlier versions are sealed when the service starts, a few at a time; until then, their addresses
 * are read unsealed.
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

/**
 * Seals the addresses of old rows and returns their number. Their old versions stay in the database
 * files until `forgetOldAddresses` removes them.
 */
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
 * Rewrites the table, so that the database files contain no old versions of its rows. Returns
 * whether this is done: it may fail while the table is in use, and the next start tries again. The
 * rewrite is quick, because the rows are few and short.
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

/**
 * The comment that the table has in the database from the first sealed row until the old row
 * versions are removed.
 */
const keptInFiles = 'The files of this table still hold addresses from before they were sealed.';

const atOnce = 100;

/**
 * Saved MCP servers. Addresses, headers and client secrets are encrypted when written. Reads
 * decrypt only the addresses; for headers and client secrets they return whether they exist.
 */
import {
  type CredentialChange,
  cutPage,
  type Page,
  type PageRequest,
  type SavedServer,
} from '@proofmark/domain';
import { type Fragment, isUniqueViolation, type Sql } from '../../../platform/database/database.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import { clientSecretField, headersField } from './sealed-fields.ts';
import { openAddresses, type SealedAddresses, sealAddresses } from './server-addresses.ts';
import { healthColumn } from './server-health.ts';

export type Headers = Readonly<Record<string, string>>;

export interface ServerWrite
  extends Pick<
    SavedServer,
    | 'id'
    | 'organizationId'
    | 'projectId'
    | 'name'
    | 'enabled'
    | 'url'
    | 'timeoutMs'
    | 'maxMessageMiB'
    | 'clientCapabilities'
    | 'useOAuth'
    | 'oauthScopes'
    | 'oauthResourceUrl'
    | 'clientId'
  > {
  readonly headers: CredentialChange<Headers>;
  readonly clientSecret: CredentialChange<string>;
}

type StoredServer = SavedServer & SealedAddresses;

export async function readServer(
  sql: Sql,
  vault: Vault,
  projectId: string,
  serverId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<SavedServer | undefined> {
  const [row] = await sql<StoredServer[]>`
    ${selected(sql)} where project_id = ${projectId} and id = ${serverId}
    ${lock === 'forUpdate' ? sql`for update` : sql``}`;
  return row && openAddresses(vault, row);
}

/** Finds the server with its decrypted headers, which are needed only to call it. */
export async function findServerToCall(
  sql: Sql,
  vault: Vault,
  projectId: string,
  serverId: string,
): Promise<{ readonly server: SavedServer; readonly headers: Headers } | undefined> {
  const [row] = await sql<(StoredServer & { sealedHeaders: Buffer | null })[]>`
    ${selected(sql, sql`, sealed_headers`)} where project_id = ${projectId} and id = ${serverId}`;
  if (row === undefined) return undefined;
  const { sealedHeaders, ...stored } = row;
  const server = openAddresses(vault, stored);
  if (sealedHeaders === null) return { server, headers: {} };
  const headers = JSON.parse(vault.open(sealedHeaders, headersField(server))) as Headers;
  return { server, headers };
}

export async function listServers(
  sql: Sql,
  vault: Vault,
  projectId: string,
  page: PageRequest,
): Promise<Page<SavedServer>> {
  const rows = await sql<StoredServer[]>`
    ${selected(sql)} where project_id = ${projectId}
      ${page.after ? sql`and (created_at, id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by created_at, id limit ${page.limit + 1}`;
  const opened = rows.map((row) => openAddresses(vault, row));
  return cutPage(opened, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

export async function readServersOf(
  sql: Sql,
  vault: Vault,
  projectId: string,
  ids: readonly string[],
): Promise<SavedServer[]> {
  const rows = await sql<StoredServer[]>`
    ${selected(sql)} where project_id = ${projectId} and id = any (${ids as string[]})`;
  return rows.map((row) => openAddresses(vault, row));
}

/**
 * Returns those of the given ids that are servers of the project, and prevents their deletion until
 * the transaction ends.
 */
export async function findServerIds(
  sql: Sql,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql<{ id: string }[]>`
    select id from servers where project_id = ${projectId} and id = any (${ids as string[]})
    order by id for key share`;
  return new Set(rows.map(({ id }) => id));
}

export async function insertServer(
  sql: Sql,
  vault: Vault,
  write: ServerWrite,
): Promise<'nameTaken' | 'inserted'> {
  const sealed = sealedColumns(vault, write);
  const inserted = await sql`
    insert into servers ${sql({
      id: write.id,
      organization_id: write.organizationId,
      project_id: write.projectId,
      transport_type: 'http',
      ...plainColumns(sql, write),
      ...sealed,
    })} on conflict do nothing`;
  return inserted.count === 0 ? 'nameTaken' : 'inserted';
}

export async function updateServer(
  sql: Sql,
  vault: Vault,
  write: ServerWrite,
): Promise<'nameTaken' | 'updated'> {
  const columns = { ...plainColumns(sql, write), ...sealedColumns(vault, write) };
  try {
    await sql`
      update servers set ${sql(columns)}, updated_at = now()
      where id = ${write.id} and project_id = ${write.projectId}`;
  } catch (error) {
    if (isUniqueViolation(error)) return 'nameTaken';
    throw error;
  }
  return 'updated';
}

export async function deleteServer(sql: Sql, projectId: string, serverId: string): Promise<void> {
  await sql`delete from servers where project_id = ${projectId} and id = ${serverId}`;
}

function selected(sql: Sql, more: Fragment = sql``) {
  return sql`
    select id, organization_id, project_id, name, enabled, transport_type, url, timeout_ms,
      max_message_mib as "maxMessageMiB",
      client_capabilities, use_oauth as "useOAuth", oauth_scopes, oauth_resource_url, sealed_addresses, client_id,
      sealed_client_secret is not null as has_client_secret, header_names, ${healthColumn(sql)}, created_at, updated_at
      ${more}
    from servers`;
}

function plainColumns(sql: Sql, write: ServerWrite) {
  return {
    name: write.name,
    enabled: write.enabled,
    // These older columns stored the settings unencrypted, so they are emptied.
    url: null,
    oauth_resource_url: null,
    timeout_ms: write.timeoutMs,
    max_message_mib: write.maxMessageMiB,
    client_capabilities:
      write.clientCapabilities === null ? null : sql.json(write.clientCapabilities as never),
    use_oauth: write.useOAuth,
    oauth_scopes: write.oauthScopes as string[],
    client_id: write.clientId,
  };
}

/**
 * Leaves out the columns of unchanged credentials, so that the update keeps their stored values.
 */
function sealedColumns(vault: Vault, write: ServerWrite) {
  const columns: Record<string, Buffer | string[] | null> = {
    sealed_addresses: sealAddresses(vault, write),
  };
  if (write.headers.kind !== 'keep') {
    const headers = write.headers.kind === 'replace' ? write.headers.value : {};
    const names = Object.keys(headers);
    columns['header_names'] = names;
    columns['sealed_headers'] =
      names.length === 0 ? null : vault.seal(JSON.stringify(headers), headersField(write));
  }
  if (write.clientSecret.kind !== 'keep') {
    columns['sealed_client_secret'] =
      write.clientSecret.kind === 'replace'
        ? vault.seal(write.clientSecret.value, clientSecretField(write))
        : null;
  }
  return columns;
}

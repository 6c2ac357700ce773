/** Saved MCP servers. Headers and client secrets are sealed here on the way in; reads say only that they are there. */
import {
  type CredentialChange,
  cutPage,
  type Page,
  type PageRequest,
  type SavedServer,
} from '@proofmark/domain';
import type { Vault } from '../../vault/vault.ts';
import { type Fragment, isUniqueViolation, type Sql } from '../database/database.ts';

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
    | 'clientCapabilities'
    | 'useOAuth'
    | 'oauthScopes'
    | 'oauthResourceUrl'
    | 'clientId'
  > {
  readonly headers: CredentialChange<Headers>;
  readonly clientSecret: CredentialChange<string>;
}

export async function readServer(
  sql: Sql,
  projectId: string,
  serverId: string,
  lock: 'forUpdate' | 'read' = 'read',
): Promise<SavedServer | undefined> {
  const [row] = await sql<SavedServer[]>`
    ${selected(sql)} where project_id = ${projectId} and id = ${serverId}
    ${lock === 'forUpdate' ? sql`for update` : sql``}`;
  return row;
}

/** With its headers opened, which only whoever calls the server needs. */
export async function findServerToCall(
  sql: Sql,
  vault: Vault,
  projectId: string,
  serverId: string,
): Promise<{ readonly server: SavedServer; readonly headers: Headers } | undefined> {
  const [row] = await sql<(SavedServer & { sealedHeaders: Buffer | null })[]>`
    ${selected(sql, sql`, sealed_headers`)} where project_id = ${projectId} and id = ${serverId}`;
  if (row === undefined) return undefined;
  const { sealedHeaders, ...server } = row;
  if (sealedHeaders === null) return { server, headers: {} };
  const sealedAs = { organizationId: server.organizationId, rowId: server.id, field: 'headers' };
  return { server, headers: JSON.parse(vault.open(sealedHeaders, sealedAs)) as Headers };
}

export async function listServers(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<SavedServer>> {
  const rows = await sql<SavedServer[]>`
    ${selected(sql)} where project_id = ${projectId}
      ${page.after ? sql`and (created_at, id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by created_at, id limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

/** Those of the given ids that are servers of the project; they are not deleted before the transaction has ended. */
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
      client_capabilities, use_oauth as "useOAuth", oauth_scopes, oauth_resource_url, client_id,
      sealed_client_secret is not null as has_client_secret, header_names, created_at, updated_at
      ${more}
    from servers`;
}

function plainColumns(sql: Sql, write: ServerWrite) {
  return {
    name: write.name,
    enabled: write.enabled,
    url: write.url,
    timeout_ms: write.timeoutMs,
    client_capabilities:
      write.clientCapabilities === null ? null : sql.json(write.clientCapabilities as never),
    use_oauth: write.useOAuth,
    oauth_scopes: write.oauthScopes as string[],
    oauth_resource_url: write.oauthResourceUrl,
    client_id: write.clientId,
  };
}

/** Columns of a kept credential are left out, so that the write does not touch them. */
function sealedColumns(vault: Vault, write: ServerWrite) {
  const sealedAs = { organizationId: write.organizationId, rowId: write.id };
  const columns: Record<string, Buffer | string[] | null> = {};
  if (write.headers.kind !== 'keep') {
    const headers = write.headers.kind === 'replace' ? write.headers.value : {};
    const names = Object.keys(headers);
    columns['header_names'] = names;
    columns['sealed_headers'] =
      names.length === 0
        ? null
        : vault.seal(JSON.stringify(headers), { ...sealedAs, field: 'headers' });
  }
  if (write.clientSecret.kind !== 'keep') {
    columns['sealed_client_secret'] =
      write.clientSecret.kind === 'replace'
        ? vault.seal(write.clientSecret.value, { ...sealedAs, field: 'clientSecret' })
        : null;
  }
  return columns;
}

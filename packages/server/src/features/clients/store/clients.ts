/**
 * Clients and their configs. A config is stored once under an id computed from its content and
 * never changes, so an id always means the same content. A config without any client is kept,
 * because runs may reference it.
 */

import {
  type ClientConfig,
  canonicalClientConfig,
  comparableClientName,
  configIdOf,
  cutPage,
  type Page,
  type PageRequest,
} from '@proofmark/domain';
import { sha256Hex } from '../../../kernel/sha256-hex.ts';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';

export interface StoredClient {
  readonly id: string;
  readonly name: string;
  readonly configId: string;
  readonly modelId: string;
  readonly serverCount: number;
  readonly hasComputer: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ClientWithConfig extends StoredClient {
  readonly config: ClientConfig;
  /**
   * Present if the stored document cannot be read. `config` then contains only the model, with
   * empty objects for the required fields.
   */
  readonly isUnreadable?: true;
}

/**
 * `forShare` prevents changes and the deletion of the client while a reference to it is written.
 */
export type ClientLock = 'forUpdate' | 'forShare' | 'read';

export async function readClient(
  sql: Sql,
  projectId: string,
  clientId: string,
  lock: ClientLock = 'read',
): Promise<ClientWithConfig | undefined> {
  // A separate statement locks first. A single statement that waited for the row would not see a
  // config written during the wait.
  if (lock !== 'read') {
    await sql`
      select from clients where project_id = ${projectId} and id = ${clientId} ${locking(sql, lock)}`;
  }
  const [row] = await sql<(StoredClient & { config: string })[]>`
    ${selected(sql, sql`, config`)} where project_id = ${projectId} and clients.id = ${clientId}`;
  return row && { ...row, ...readConfig(row) };
}

/** Returns the client with this id, and all clients with this name. */
export async function findClientCandidates(
  sql: Sql,
  projectId: string,
  reference: string,
  lock: ClientLock = 'read',
): Promise<{ readonly id: string; readonly name: string }[]> {
  return sql<{ id: string; name: string }[]>`
    select id, name from clients
    where project_id = ${projectId}
      and (id = ${reference} or comparable_name = ${comparableClientName(reference)})
    order by id ${locking(sql, lock)}`;
}

export async function findClientNames(
  sql: Sql,
  projectId: string,
  clientIds: readonly string[],
): Promise<Map<string, string>> {
  if (clientIds.length === 0) return new Map();
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from clients
    where project_id = ${projectId} and id = any (${clientIds as string[]})`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function listClientNames(sql: Sql, projectId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from clients where project_id = ${projectId}`;
  return rows.map(({ name }) => name);
}

export async function readClients(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<Page<StoredClient>> {
  const rows = await sql<StoredClient[]>`
    ${selected(sql)} where project_id = ${projectId}
      ${page.after ? sql`and (clients.created_at, clients.id) > (${new Date(page.after.order)}, ${page.after.id})` : sql``}
    order by clients.created_at, clients.id limit ${page.limit + 1}`;
  return cutPage(rows, page.limit, (row) => ({ order: row.createdAt.getTime(), id: row.id }));
}

interface ClientPlace {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
}

export async function insertClient(
  sql: Sql,
  client: ClientPlace & { readonly name: string; readonly config: ClientConfig },
): Promise<void> {
  const { id, organizationId, projectId, name } = client;
  const configId = await keepConfig(sql, organizationId, client.config);
  await sql`
    insert into clients ${sql({
      id,
      organization_id: organizationId,
      project_id: projectId,
      config_id: configId,
      ...nameColumns(name),
    })}`;
}

/** Saves the client. The caller must hold the client's lock. Absent fields stay unchanged. */
export async function saveClient(
  sql: Sql,
  { id, organizationId, projectId }: ClientPlace,
  change: { readonly name?: string; readonly config?: ClientConfig },
): Promise<void> {
  const { name, config } = change;
  const columns = {
    ...(name === undefined ? {} : nameColumns(name)),
    ...(config === undefined ? {} : { config_id: await keepConfig(sql, organizationId, config) }),
  };
  // The time of the write, not the start of the transaction. So a writer that waited for the lock
  // gets a later time than the previous holder.
  await sql`
    update clients set ${sql(columns)}, updated_at = clock_timestamp()
    where project_id = ${projectId} and id = ${id}`;
}

export async function deleteStoredClient(
  sql: Sql,
  projectId: string,
  clientId: string,
): Promise<void> {
  await sql`delete from clients where project_id = ${projectId} and id = ${clientId}`;
}

async function keepConfig(sql: Sql, organizationId: string, given: ClientConfig): Promise<string> {
  const { config, text } = canonicalClientConfig(given);
  const id = configIdOf(text, sha256Hex);
  await sql`
    insert into client_configs ${sql({
      organization_id: organizationId,
      id,
      config: text,
      model_id: config.modelId,
      server_count: (config.serverIds?.length ?? 0) + (config.optionalServerIds?.length ?? 0),
      has_computer: config.computer != null,
    })} on conflict do nothing`;
  return id;
}

/**
 * Removes the schema version. It is stored with a config to compute its id, but it is no part of
 * the config.
 */
function readConfig(row: {
  readonly config: string;
  readonly modelId: string;
}): Pick<ClientWithConfig, 'config' | 'isUnreadable'> {
  const { schemaVersion: _version, ...config } = readRecord(row.config) ?? {};
  if (typeof config['modelId'] === 'string') return { config: config as ClientConfig };
  const { modelId } = row;
  return { config: { modelId, clientCapabilities: {}, hostContext: {} }, isUnreadable: true };
}

function nameColumns(name: string) {
  return { name, comparable_name: comparableClientName(name) };
}

function locking(sql: Sql, lock: ClientLock): Fragment {
  if (lock === 'read') return sql``;
  return lock === 'forUpdate' ? sql`for update` : sql`for share`;
}

function selected(sql: Sql, more: Fragment = sql``): Fragment {
  return sql`
    select clients.id, clients.name, clients.config_id, model_id, server_count, has_computer,
      clients.created_at, clients.updated_at ${more}
    from clients
    join client_configs on client_configs.organization_id = clients.organization_id
      and client_configs.id = clients.config_id`;
}

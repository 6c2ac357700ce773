/**
 * The operator's stdio servers, listed like saved servers. Their command, arguments and environment
 * stay in the operator's file; the database stores them only for open runs, sealed. Servers that
 * the file no longer names are removed.
 */
import { randomBytes } from 'node:crypto';
import { makeId } from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';

export interface OperatorServer {
  readonly name: string;
  readonly projectId: string;
  readonly organizationId: string;
}

export async function syncOperatorServers(
  database: Database,
  servers: readonly OperatorServer[],
  /**
   * True if only a part of the file was read. Servers outside that part are then neither started
   * nor removed.
   */
  keepsOthers = false,
): Promise<{
  readonly ids: ReadonlyMap<OperatorServer, string>;
  readonly nameTaken: readonly string[];
}> {
  return database.transaction(async (sql) => {
    const ids = new Map<OperatorServer, string>();
    const nameTaken: string[] = [];
    for (const server of servers) {
      const id = await ensureOperatorServer(sql, server);
      if (id === undefined) nameTaken.push(server.name);
      else ids.set(server, id);
    }
    if (!keepsOthers) {
      await sql`delete from servers where transport_type = 'stdio' and id <> all (${[...ids.values()]})`;
    }
    return { ids, nameTaken };
  });
}

/**
 * Finds or creates the server and returns its id. Returns undefined if a saved server of another
 * kind has the name.
 */
export async function ensureOperatorServer(
  sql: Sql,
  { name, projectId, organizationId }: OperatorServer,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    insert into servers (id, organization_id, project_id, name, enabled, transport_type)
    values (${makeId('server', Date.now(), randomBytes(10))}, ${organizationId}, ${projectId},
      ${name}, true, 'stdio')
    on conflict (project_id, lower(name)) do update set name = excluded.name
    where servers.transport_type = 'stdio' returning id`;
  return row?.id;
}

/**
 * Returns the project that the operator names, or else the default project of the oldest
 * organization.
 */
export async function findProjectOfOperator(
  { sql }: Database,
  projectId: string | undefined,
): Promise<{ id: string; organizationId: string } | undefined> {
  const [project] = await sql<{ id: string; organizationId: string }[]>`
    select id, organization_id from projects
    where ${projectId === undefined ? sql`is_default` : sql`id = ${projectId}`}
    order by created_at, id limit 1`;
  return project;
}

export async function holdsOperatorServers(sql: Sql, projectId: string): Promise<boolean> {
  const [row] = await sql`
    select from servers where project_id = ${projectId} and transport_type = 'stdio'`;
  return row !== undefined;
}

export async function findOperatorServer(
  { sql }: Database,
  projectId: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from servers
    where project_id = ${projectId} and lower(name) = lower(${name}) and transport_type = 'stdio'`;
  return row?.id;
}

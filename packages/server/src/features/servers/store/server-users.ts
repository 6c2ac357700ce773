/**
 * Finds the suites, clients and environments that use a server, at most twenty of each, because a
 * server in use must not be deleted. An environment without a server group uses the servers of its
 * client. The caller must hold the server's lock.
 */
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { isNamed } from '../../environments/index.ts';

export interface ServerUser {
  readonly id: string;
  readonly name: string;
}

export interface ServerUsers {
  readonly suites: readonly ServerUser[];
  readonly clients: readonly ServerUser[];
  readonly environments: readonly ServerUser[];
}

export async function findServerUsers(
  sql: Sql,
  projectId: string,
  serverId: string,
): Promise<ServerUsers> {
  const named = (users: Fragment) =>
    sql<ServerUser[]>`select id, name from ${users} order by created_at, id limit 20`;
  // Parses only documents that contain the id, which are few. A document that cannot be parsed
  // counts as using no server.
  const naming = (column: string) =>
    sql`(case when strpos(${sql(column)}, ${serverId}) > 0 then document_of(${sql(column)})::jsonb end)`;
  // Reads only the current config of each client, because clients have many former configs.
  const clients = sql`(
    select clients.id, clients.name, clients.created_at from clients
    join client_configs configs on (configs.organization_id, configs.id) = (clients.organization_id, clients.config_id)
    where project_id = ${projectId} and (
      ${naming('config')} -> 'serverIds' ? ${serverId} or ${naming('config')} -> 'optionalServerIds' ? ${serverId}
    )
  ) using_clients`;
  return {
    suites: await named(sql`eval_suites where project_id = ${projectId} and (
      ${serverId} = any (server_ids)
      or ${naming('hosts')} @> jsonb_build_array(jsonb_build_object('serverIds', jsonb_build_array(${serverId}::text)))
    )`),
    clients: await named(clients),
    environments:
      await named(sql`environments where project_id = ${projectId} and archived_at is null and ${isNamed(sql)} and (
      exists (
        select from server_attachments
        where id = environments.server_attachment_id and ${serverId} = any (server_ids)
      )
      or server_attachment_id is null and host_id in (select id from ${clients})
      or exists (
        select from plugin_versions
        where id = any (environments.plugin_version_ids)
          and ${naming('content')} -> 'servers' @> jsonb_build_array(jsonb_build_object('serverId', ${serverId}::text))
      )
    )`),
  };
}

/** Keeps the servers that an environment would use from being deleted until the transaction has ended. */
import type { EnvironmentEdit } from '@proofmark/domain';
import { findClient } from '../../storage/clients.ts';
import type { Sql } from '../../storage/database.ts';
import { findPluginVersions } from '../../storage/plugins.ts';
import { findServerAttachment } from '../../storage/server-attachments.ts';
import { findServerIds } from '../../storage/servers.ts';

type Used = Pick<EnvironmentEdit, 'hostId' | 'serverAttachmentId' | 'pluginVersionIds'>;

export async function holdServers(
  sql: Sql,
  projectId: string,
  { hostId, serverAttachmentId, pluginVersionIds }: Used,
): Promise<void> {
  const group =
    serverAttachmentId && (await findServerAttachment(sql, projectId, serverAttachmentId));
  const client = hostId && (await findClient(sql, projectId, hostId));
  const plugins = await findPluginVersions(sql, projectId, pluginVersionIds ?? []);
  await findServerIds(sql, projectId, [
    ...(group ? group.serverIds : []),
    ...(client
      ? [...(client.config.serverIds ?? []), ...(client.config.optionalServerIds ?? [])]
      : []),
    ...plugins.flatMap(({ content }) => content.servers.map(({ serverId }) => serverId)),
  ]);
}

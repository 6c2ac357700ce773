/**
 * Locks the servers that an environment would use, so that they cannot be deleted before the
 * transaction ends.
 */
import type { EnvironmentEdit } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { readClient } from '../../../clients/index.ts';
import { findServerIds, readServerAttachment } from '../../../servers/index.ts';
import { findPluginVersions } from '../../store/plugins.ts';

type Used = Pick<EnvironmentEdit, 'hostId' | 'serverAttachmentId' | 'pluginVersionIds'>;

export async function lockServers(
  sql: Sql,
  projectId: string,
  { hostId, serverAttachmentId, pluginVersionIds }: Used,
): Promise<void> {
  const group =
    serverAttachmentId && (await readServerAttachment(sql, projectId, serverAttachmentId));
  const client = hostId && (await readClient(sql, projectId, hostId));
  const plugins = await findPluginVersions(sql, projectId, pluginVersionIds ?? []);
  await findServerIds(sql, projectId, [
    ...(group ? group.serverIds : []),
    ...(client
      ? [...(client.config.serverIds ?? []), ...(client.config.optionalServerIds ?? [])]
      : []),
    ...plugins.flatMap(({ content }) => content.servers.map(({ serverId }) => serverId)),
  ]);
}

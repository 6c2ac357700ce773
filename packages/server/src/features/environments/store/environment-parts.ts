/**
 * Reads everything that an environment references. Missing parts are handled by the rule that
 * resolves the environment.
 */
import type { EnvironmentParts } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readClient } from '../../clients/index.ts';
import { listNamedServers, type NamedServer, readServerAttachment } from '../../servers/index.ts';
import type { StoredEnvironment } from './environments.ts';
import { findPluginVersions } from './plugins.ts';
import { listResolvableSkills } from './skills.ts';

export async function readEnvironmentParts(
  sql: Sql,
  environment: StoredEnvironment,
): Promise<
  EnvironmentParts & {
    readonly servers: readonly NamedServer[];
    readonly isUnreadable: true | undefined;
  }
> {
  const { projectId, hostId, serverAttachmentId, pluginVersionIds } = environment;
  const [client, serverAttachment, servers, versions, skills] = await Promise.all([
    readClient(sql, projectId, hostId),
    serverAttachmentId === null
      ? undefined
      : readServerAttachment(sql, projectId, serverAttachmentId),
    listNamedServers(sql, projectId),
    findPluginVersions(sql, projectId, pluginVersionIds ?? []),
    listResolvableSkills(sql, projectId),
  ]);
  const pluginVersions = versions.map(({ id, pluginId, name, bundleHash, content }) => ({
    id,
    pluginId,
    name,
    bundleHash,
    serverIds: content.servers.map(({ serverId }) => serverId),
    skills: content.skills,
  }));
  const isUnreadable = [client, ...versions].some((part) => part?.isUnreadable) || undefined;
  return { environment, client, serverAttachment, servers, pluginVersions, skills, isUnreadable };
}

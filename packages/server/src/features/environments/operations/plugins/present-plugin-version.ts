/**
 * Servers and skills were saved before the version was created, so every component exists. Every
 * version is therefore ready, unless its stored content cannot be read.
 */
import type { OutputOf } from '@proofmark/contract';
import { componentKeys } from '@proofmark/domain';
import type { StoredPluginVersion } from '../../store/plugins.ts';

export function presentPluginVersion(version: StoredPluginVersion): OutputOf<'getPluginVersion'> {
  const { isUnreadable = false } = version;
  const { declaredVersion, servers, skills } = version.content;
  const serverKeys = componentKeys(servers.map(({ name }) => name));
  const skillKeys = componentKeys(skills.map(({ name }) => name));
  const createdAt = version.createdAt.getTime();
  return {
    id: version.id,
    pluginId: version.pluginId,
    ...(declaredVersion === undefined ? {} : { declaredVersion }),
    bundleHash: version.bundleHash,
    status: isUnreadable ? 'invalid' : 'ready',
    componentCounts: {
      skills: skills.length,
      servers: servers.length,
      apps: 0,
      assets: 0,
      unsupported: 0,
    },
    servers: servers.map(({ serverId, name, placement }, at) => ({
      componentId: serverId,
      componentKey: serverKeys[at] as string,
      declaredName: name,
      placement,
      authenticationPolicy: 'on_use',
      materializedServerId: serverId,
    })),
    // The id of the skill version, because the version holds the text.
    skills: skills.map(({ skillId, skillVersionId, name }, at) => ({
      componentId: skillVersionId,
      componentKey: skillKeys[at] as string,
      declaredName: name,
      modelRef: skillKeys[at] as string,
      materializedSkillId: skillId,
    })),
    createdAt,
    ...(!isUnreadable && { readyAt: createdAt }),
  };
}

import type { OutputOf } from '@proofmark/contract';
import type { StoredPlugin, StoredPluginVersion } from '../../store/plugins.ts';
import { presentPluginVersion } from './present-plugin-version.ts';

export function presentPlugin(
  plugin: StoredPlugin,
): OutputOf<'listProjectPlugins'>['items'][number] {
  return {
    id: plugin.id,
    projectId: plugin.projectId,
    name: plugin.name,
    ...(plugin.displayName === null ? {} : { displayName: plugin.displayName }),
    ...(plugin.description === null ? {} : { description: plugin.description }),
    enabled: true,
    activeVersionId: plugin.activeVersionId,
    createdAt: plugin.createdAt.getTime(),
    updatedAt: plugin.updatedAt.getTime(),
  };
}

export function presentPluginDetail(
  plugin: StoredPlugin,
  versions: readonly StoredPluginVersion[],
): OutputOf<'getPlugin'> {
  return { ...presentPlugin(plugin), versions: versions.map(presentPluginVersion) };
}

import type { BodyInputOf, Plugin, PluginDetail } from '@proofmark/contract';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import {
  useDeleteEntity,
  useEntities,
  useEntity,
  useWriteEntity,
} from '../../../kit/data/project-entities.ts';

export function usePlugins(projectId: string) {
  return useEntities<Plugin>(['plugins', projectId], (page, signal) =>
    client.listProjectPlugins({ projectId, ...page }, { signal }),
  );
}

export function usePlugin(projectId: string, pluginId: string) {
  return useEntity<PluginDetail>(['plugins', projectId, pluginId], (signal) =>
    client.getPlugin({ projectId, pluginId }, { signal }),
  );
}

/** Every plugin with its versions, for forms that pin one. */
export function usePluginsWithVersions(projectId: string) {
  const plugins = usePlugins(projectId);
  const details = useQueries({
    queries: (plugins.data ?? []).map(({ id: pluginId }) => ({
      queryKey: ['plugins', projectId, pluginId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.getPlugin({ projectId, pluginId }, { signal }),
    })),
  });
  const isRead = plugins.data !== undefined && details.every(({ data }) => data !== undefined);
  return {
    data: isRead ? details.map(({ data }) => data as PluginDetail) : undefined,
    error: plugins.error ?? details.find(({ error }) => error !== null)?.error ?? null,
    isFetching: plugins.isFetching || details.some(({ isFetching }) => isFetching),
    refetch: () => {
      void plugins.refetch();
      for (const detail of details) void detail.refetch();
    },
  };
}

export function useCreatePlugin(projectId: string) {
  return useWriteEntity('plugins', projectId, (body: BodyInputOf<'createPlugin'>) =>
    client.createPlugin({ projectId, body }),
  );
}

export function useCreatePluginVersion(projectId: string, pluginId: string) {
  const cache = useQueryClient();
  return useWriteEntity('plugins', projectId, async (body: BodyInputOf<'createPluginVersion'>) => {
    const version = await client.createPluginVersion({ projectId, pluginId, body });
    await cache.invalidateQueries({ queryKey: ['plugins', projectId, pluginId] });
    return version;
  });
}

export function useDeletePlugin(projectId: string, pluginId: string, leave: () => Promise<void>) {
  return useDeleteEntity(
    'plugins',
    projectId,
    () => client.deletePlugin({ projectId, pluginId }),
    leave,
  );
}

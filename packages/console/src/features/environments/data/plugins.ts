import type { PluginDetail } from '@proofmark/contract';
import { useQueries } from '@tanstack/react-query';
import { operationQuery, useWholeList } from '../../../kit/data/operations.ts';

export function usePluginsWithVersions(projectId: string) {
  const plugins = useWholeList('listProjectPlugins', { projectId });
  const details = useQueries({
    queries: (plugins.data ?? []).map(({ id: pluginId }) =>
      operationQuery('getPlugin', { projectId, pluginId }),
    ),
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

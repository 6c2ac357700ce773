/** What is told of the tools that models were shown. */
import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { type RunIds, runKey } from './eval-runs.ts';
import type { ServerIds } from './server-lists.ts';
import { serversKey } from './servers.ts';

export function useRunLint(ids: RunIds) {
  return useQuery({
    queryKey: [...runKey(ids), 'lint'],
    queryFn: ({ signal }) => client.getEvalRunLint(ids, { signal }),
  });
}

/** Costs the server a call, so it is read once and again only when asked. */
export function useServerLint(ids: ServerIds) {
  return useQuery({
    queryKey: [...serversKey(ids.projectId), ids.serverId, 'lint'],
    queryFn: ({ signal }) => client.lintServer({ ...ids, body: {} }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Nothing where the suite has no run to compare with. */
export function useRunSurface(ids: RunIds, isWanted: boolean) {
  return useQuery({
    queryKey: [...runKey(ids), 'surface'],
    queryFn: ({ signal }) => client.getEvalRunSurface(ids, { signal }).catch(() => null),
    enabled: isWanted,
  });
}

import type { OutputOf } from '@proofmark/contract';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { itemsRead, pagedQuery } from '../../../kit/data/paged-query.ts';

export type SwarmFinding = OutputOf<'listSwarmFindings'>['items'][number];

/** What changed last first. */
export function useFindings(projectId: string, withDismissed: boolean) {
  return useInfiniteQuery({
    queryKey: ['findings', projectId, withDismissed],
    ...pagedQuery((page, signal) =>
      client.listSwarmFindings(
        { projectId, ...page, ...(!withDismissed && { dismissed: 'false' as const }) },
        { signal },
      ),
    ),
    select: itemsRead,
  });
}

export function useDismissFinding({ projectId, id: findingId }: { projectId: string; id: string }) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (dismiss: boolean) =>
      dismiss
        ? client.dismissSwarmFinding({ projectId, findingId })
        : client.undismissSwarmFinding({ projectId, findingId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['findings', projectId] }),
  });
}

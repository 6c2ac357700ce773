import { readAllPages } from '@proofmark/client';
import type { BodyInputOf, ProjectServer } from '@proofmark/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';

export const serversKey = (projectId: string) => ['servers', projectId] as const;

export function useServers(projectId: string) {
  return useQuery({
    queryKey: serversKey(projectId),
    queryFn: ({ signal }) =>
      readAllPages((page) => client.listProjectServers({ projectId, ...page }, { signal })),
  });
}

export function useServer(projectId: string, serverId: string) {
  return useQuery({
    queryKey: [...serversKey(projectId), serverId],
    queryFn: ({ signal }) => client.getProjectServer({ projectId, serverId }, { signal }),
    // A form starts from this answer: it is read anew for each form, and not again while somebody types.
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
}

export function useCreateServer(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'createProjectServer'>) =>
      client.createProjectServer({ projectId, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: serversKey(projectId) }),
  });
}

export function useUpdateServer(projectId: string, serverId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'updateProjectServer'>) =>
      client.updateProjectServer({ projectId, serverId, body }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: serversKey(projectId) }),
  });
}

/** `leave` goes to another page first: the one that stands must not read what is gone. */
export function useDeleteServer(projectId: string, serverId: string, leave: () => Promise<void>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.deleteProjectServer({ projectId, serverId }),
    onSuccess: async () => {
      await leave();
      cache.setQueryData<ProjectServer[]>(serversKey(projectId), (all) =>
        all?.filter((server) => server.id !== serverId),
      );
    },
  });
}

import type { BodyInputOf, ProjectEnvironment } from '@proofmark/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { useEntities, useEntity, useWriteEntity } from '../../../kit/data/project-entities.ts';

export interface EnvironmentIds {
  readonly projectId: string;
  readonly environmentId: string;
}

export function useEnvironments(projectId: string, withArchived = false) {
  return useEntities<ProjectEnvironment>(
    ['environments', projectId, withArchived],
    (page, signal) =>
      client.listEnvironments(
        { projectId, ...page, ...(withArchived ? { includeArchived: 'true' as const } : {}) },
        { signal },
      ),
  );
}

export function useEnvironment(ids: EnvironmentIds) {
  return useEntity<ProjectEnvironment>(
    ['environments', ids.projectId, ids.environmentId],
    (signal) => client.getEnvironment({ ...ids }, { signal }),
  );
}

/** As it is now, past the cache. */
export function readEnvironment(ids: EnvironmentIds): Promise<ProjectEnvironment> {
  return client.getEnvironment({ ...ids });
}

/** What a run in it would use at this moment: read anew each time it is looked at. */
export function useResolvedEnvironment(ids: EnvironmentIds) {
  return useQuery({
    queryKey: ['environments', ids.projectId, ids.environmentId, 'resolved'],
    queryFn: ({ signal }) => client.resolveEnvironment({ ...ids }, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
}

export function useCreateEnvironment(projectId: string) {
  return useWriteEntity('environments', projectId, (body: BodyInputOf<'createEnvironment'>) =>
    client.createEnvironment({ projectId, body }),
  );
}

export function useUpdateEnvironment(ids: EnvironmentIds) {
  return useWriteEntity('environments', ids.projectId, (body: BodyInputOf<'updateEnvironment'>) =>
    client.updateEnvironment({ ...ids, body }),
  );
}

export function useArchiveEnvironment(ids: EnvironmentIds) {
  return useWriteEntity('environments', ids.projectId, (expectedRevision: number) =>
    client.archiveEnvironment({ ...ids, body: { expectedRevision } }),
  );
}

export function useRestoreEnvironment(ids: EnvironmentIds) {
  return useWriteEntity('environments', ids.projectId, (expectedRevision: number) =>
    client.restoreEnvironment({ ...ids, body: { expectedRevision } }),
  );
}

/** Puts an environment that was just read or written where its page finds it. */
export function useKeepEnvironment({ projectId, environmentId }: EnvironmentIds) {
  const cache = useQueryClient();
  return (environment: ProjectEnvironment) =>
    cache.setQueryData(['environments', projectId, environmentId], environment);
}

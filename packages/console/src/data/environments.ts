import type { BodyInputOf, ProjectEnvironment } from '@proofmark/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from './client.ts';
import { useThing, useThings, useWriteThing } from './project-things.ts';

export interface EnvironmentLocation {
  readonly projectId: string;
  readonly environmentId: string;
}

export function useEnvironments(projectId: string, withArchived = false) {
  return useThings<ProjectEnvironment>(['environments', projectId, withArchived], (page, signal) =>
    client.listEnvironments(
      { projectId, ...page, ...(withArchived ? { includeArchived: 'true' as const } : {}) },
      { signal },
    ),
  );
}

export function useEnvironment(place: EnvironmentLocation) {
  return useThing<ProjectEnvironment>(
    ['environments', place.projectId, place.environmentId],
    (signal) => client.getEnvironment({ ...place }, { signal }),
  );
}

/** As it is now, past the cache. */
export function readEnvironment(place: EnvironmentLocation): Promise<ProjectEnvironment> {
  return client.getEnvironment({ ...place });
}

/** What a run in it would use at this moment: read anew each time it is looked at. */
export function useResolvedEnvironment(place: EnvironmentLocation) {
  return useQuery({
    queryKey: ['environments', place.projectId, place.environmentId, 'resolved'],
    queryFn: ({ signal }) => client.resolveEnvironment({ ...place }, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
}

export function useCreateEnvironment(projectId: string) {
  return useWriteThing('environments', projectId, (body: BodyInputOf<'createEnvironment'>) =>
    client.createEnvironment({ projectId, body }),
  );
}

export function useUpdateEnvironment(place: EnvironmentLocation) {
  return useWriteThing('environments', place.projectId, (body: BodyInputOf<'updateEnvironment'>) =>
    client.updateEnvironment({ ...place, body }),
  );
}

export function useArchiveEnvironment(place: EnvironmentLocation) {
  return useWriteThing('environments', place.projectId, (expectedRevision: number) =>
    client.archiveEnvironment({ ...place, body: { expectedRevision } }),
  );
}

export function useRestoreEnvironment(place: EnvironmentLocation) {
  return useWriteThing('environments', place.projectId, (expectedRevision: number) =>
    client.restoreEnvironment({ ...place, body: { expectedRevision } }),
  );
}

/** Puts an environment that was just read or written where its page finds it. */
export function useKeepEnvironment({ projectId, environmentId }: EnvironmentLocation) {
  const cache = useQueryClient();
  return (environment: ProjectEnvironment) =>
    cache.setQueryData(['environments', projectId, environmentId], environment);
}

import { readAllPages } from '@proofmark/client';
import type { BodyInputOf, EvalSuite } from '@proofmark/contract';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from './client.ts';
import { itemsRead, pagedQuery } from './paged-query.ts';
import { useThings } from './project-things.ts';

export interface SuiteLocation {
  readonly projectId: string;
  readonly suiteId: string;
}

export function useEvalSuites(projectId: string) {
  return useThings<EvalSuite>(['eval-suites', projectId], (page, signal) =>
    client.listEvalSuites({ projectId, ...page }, { signal }),
  );
}

/** One suite out of the list, which says how its latest run went; null when it is not in it. */
export function useEvalSuite({ projectId, suiteId }: SuiteLocation) {
  const suites = useEvalSuites(projectId);
  const found = suites.data?.find(({ id }) => id === suiteId);
  return { ...suites, data: suites.data === undefined ? undefined : (found ?? null) };
}

/** With its settings, its schedule and what a run of it needs. */
export function useEvalSuiteDetail(place: SuiteLocation) {
  return useQuery({
    queryKey: ['eval-suites', place.projectId, place.suiteId, 'detail'],
    queryFn: ({ signal }) => client.getEvalSuite({ ...place }, { signal }),
  });
}

export function useEvalSuiteRuns(place: SuiteLocation) {
  return useInfiniteQuery({
    queryKey: ['eval-suites', place.projectId, place.suiteId, 'runs'],
    ...pagedQuery((page, signal) => client.listEvalSuiteRuns({ ...place, ...page }, { signal })),
    select: itemsRead,
  });
}

export function useEvalCases(place: SuiteLocation) {
  return useQuery({
    queryKey: ['eval-suites', place.projectId, place.suiteId, 'cases'],
    queryFn: ({ signal }) =>
      readAllPages((page) => client.listEvalCases({ ...place, ...page }, { signal })),
  });
}

export function useStartRun(place: SuiteLocation) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Omit<BodyInputOf<'createEvalRun'>, 'suiteId'>) =>
      client.createEvalRun({
        projectId: place.projectId,
        body: { ...body, suiteId: place.suiteId },
      }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['eval-suites', place.projectId] }),
  });
}

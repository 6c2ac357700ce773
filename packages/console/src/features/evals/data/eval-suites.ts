import { readAllPages } from '@proofmark/client';
import type { BodyInputOf, EvalSuite } from '@proofmark/contract';
import { type ReplayTermsOfRun, replayToEstimate } from '@proofmark/domain';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { isStale } from '../../../kit/data/is-stale.ts';
import { itemsRead, pagedQuery } from '../../../kit/data/paged-query.ts';
import { useDeleteEntity, useEntities } from '../../../kit/data/project-entities.ts';
import type { SuiteEdit } from '../suites/suite-draft.ts';

export interface SuiteIds {
  readonly projectId: string;
  readonly suiteId: string;
}

export function useEvalSuites(projectId: string) {
  return useEntities<EvalSuite>(['eval-suites', projectId], (page, signal) =>
    client.listEvalSuites({ projectId, ...page }, { signal }),
  );
}

/** One suite out of the list, which says how its latest run went; null when it is not in it. */
export function useEvalSuite({ projectId, suiteId }: SuiteIds) {
  const suites = useEvalSuites(projectId);
  const found = suites.data?.find(({ id }) => id === suiteId);
  return { ...suites, data: suites.data === undefined ? undefined : (found ?? null) };
}

/** With its settings, its schedule and what a run of it needs. */
export function useEvalSuiteDetail(ids: SuiteIds) {
  return useQuery({
    queryKey: ['eval-suites', ids.projectId, ids.suiteId, 'detail'],
    queryFn: ({ signal }) => client.getEvalSuite({ ...ids }, { signal }),
  });
}

export function useEvalSuiteRuns(ids: SuiteIds) {
  return useInfiniteQuery({
    queryKey: ['eval-suites', ids.projectId, ids.suiteId, 'runs'],
    ...pagedQuery((page, signal) => client.listEvalSuiteRuns({ ...ids, ...page }, { signal })),
    select: itemsRead,
  });
}

export function useEvalCases(ids: SuiteIds) {
  return useQuery({
    queryKey: ['eval-suites', ids.projectId, ids.suiteId, 'cases'],
    queryFn: ({ signal }) =>
      readAllPages((page) => client.listEvalCases({ ...ids, ...page }, { signal })),
  });
}

/** With its rows, which no list has. */
export function useEvalCase(ids: SuiteIds, caseId: string) {
  return useQuery({
    queryKey: ['eval-suites', ids.projectId, ids.suiteId, 'cases', caseId],
    queryFn: ({ signal }) => client.getEvalCase({ ...ids, caseId }, { signal }),
  });
}

/** Over what was read alone: where somebody else changed the case since, nothing is written and theirs is read. */
export function useEditCase(ids: SuiteIds, caseId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyInputOf<'updateEvalCase'>) => {
      try {
        return { saved: await client.updateEvalCase({ ...ids, caseId, body }) };
      } catch (error) {
        if (!isStale(error)) throw error;
        return { theirs: await client.getEvalCase({ ...ids, caseId }) };
      }
    },
    onSuccess: () =>
      cache.invalidateQueries({ queryKey: ['eval-suites', ids.projectId, ids.suiteId] }),
  });
}

export function useAddCase(ids: SuiteIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'createEvalCase'>) => client.createEvalCase({ ...ids, body }),
    onSuccess: () =>
      cache.invalidateQueries({ queryKey: ['eval-suites', ids.projectId, ids.suiteId] }),
  });
}

/** What a run would use; refused as its launch would be, which tells why. */
export function useRunEstimate(
  ids: SuiteIds,
  wish: {
    environmentId?: string | undefined;
    iterationOverride?: number | undefined;
    model?: string | undefined;
    replay?: ReplayTermsOfRun | undefined;
  },
  enabled = true,
) {
  const { environmentId, iterationOverride: times, model } = wish;
  const query = {
    ...(environmentId !== undefined && { environmentId }),
    ...(times !== undefined && { iterationOverride: String(times) }),
    ...(model !== undefined && { model }),
    ...replayToEstimate(wish.replay),
  };
  return useQuery({
    queryKey: ['eval-suites', ids.projectId, ids.suiteId, 'estimate', query],
    queryFn: ({ signal }) => client.estimateEvalRun({ ...ids, ...query }, { signal }),
    enabled,
    retry: false,
  });
}

export function useAttachEnvironment({ projectId, suiteId }: SuiteIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (environmentId: string) =>
      client.attachEvalSuiteEnvironment({ projectId, suiteId, body: { environmentId } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['eval-suites', projectId] }),
  });
}

export function useStartRun(ids: SuiteIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Omit<BodyInputOf<'createEvalRun'>, 'suiteId'>) =>
      client.createEvalRun({
        projectId: ids.projectId,
        body: { ...body, suiteId: ids.suiteId },
      }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['eval-suites', ids.projectId] }),
  });
}

/** How it and its cases came out over the last runs. */
export function useSuiteHistory(ids: SuiteIds) {
  return useQuery({
    queryKey: ['eval-suites', ids.projectId, ids.suiteId, 'history'],
    queryFn: ({ signal }) => client.getEvalSuiteHistory({ ...ids }, { signal }),
  });
}

export function useDeleteCase(ids: SuiteIds, caseId: string, leave: () => Promise<void>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.deleteEvalCase({ ...ids, caseId }),
    onSuccess: async () => {
      await leave();
      await cache.invalidateQueries({ queryKey: ['eval-suites', ids.projectId] });
    },
  });
}

export function useCreateSuite(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'createEvalSuite'>) =>
      client.createEvalSuite({ projectId, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['eval-suites', projectId] }),
  });
}

export function useImportSuite(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'importEvalSuite'>) =>
      client.importEvalSuite({ projectId, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['eval-suites', projectId] }),
  });
}

/** Settings and schedule are two requests; the second is sent where the first was taken. */
export function useEditSuite(ids: SuiteIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ suite, schedule }: SuiteEdit) => {
      const warned = suite && (await client.updateEvalSuite({ ...ids, body: suite }));
      if (schedule !== undefined) {
        await client.updateEvalSuiteSchedule({ ...ids, body: schedule });
      }
      return warned?.warnings ?? [];
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['eval-suites', ids.projectId] }),
  });
}

export function useDeleteSuite({ projectId, suiteId }: SuiteIds, leave: () => Promise<void>) {
  return useDeleteEntity(
    'eval-suites',
    projectId,
    () => client.deleteEvalSuite({ projectId, suiteId }),
    leave,
  );
}

export function useExportSuite(ids: SuiteIds) {
  return useMutation({
    mutationFn: (format: 'yaml' | 'json') => client.exportEvalSuite({ ...ids, format }),
  });
}

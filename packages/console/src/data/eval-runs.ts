/**
 * Runs as pages read them. A run in progress is polled, less often the longer it takes, and not while the page is
 * hidden. Trials are read page by page, those that did not pass first; never the whole run at once.
 */
import { ApiError, readAllPages } from '@proofmark/client';
import type { EvalRun, OutputOf } from '@proofmark/contract';
import type { RerunScope } from '@proofmark/domain';
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { isRunEnded, pollDelayMs } from '../evals/follow-run.ts';
import { projectOfRun } from '../evals/project-of-run.ts';
import { capabilitiesKey, useCapabilities } from './capabilities.ts';
import { client } from './client.ts';
import { itemsRead, pagedQuery } from './paged-query.ts';

export type EvalTrial = OutputOf<'getEvalIteration'>;
export type EvalTrace = OutputOf<'getEvalIterationTrace'>;
export type OfferedServer = OutputOf<'getEvalIterationTools'>['servers'][number];

export interface RunIds {
  readonly projectId: string;
  readonly runId: string;
}

const trialsOfPage = 50;
const notPassedKey = 'not-passed';
const trialsKey = 'trials';

type ReadTrials = InfiniteData<{ readonly items: readonly EvalTrial[] }>;

export function useEvalRun(ids: RunIds) {
  return useQuery({
    queryKey: runKey(ids),
    queryFn: ({ signal }) => client.getEvalRun({ ...ids }, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data)
        ? pollDelayMs(state.dataUpdateCount + state.errorUpdateCount)
        : false,
  });
}

/** The project of a run whose address does not say it, or says it in words of others; null where nobody sees it. */
export function useProjectOfRun(runId: string, named: string | undefined) {
  return useQuery({
    queryKey: ['project-of-run', runId, named ?? null],
    queryFn: async ({ signal }) => {
      const projects = await readAllPages((page) => client.listProjects(page, { signal }));
      return projectOfRun(projects, named, async (projectId) => {
        try {
          await client.getEvalRun({ projectId, runId }, { signal });
          return true;
        } catch (error) {
          if (error instanceof ApiError && error.code === 'NOT_FOUND') return false;
          throw error;
        }
      });
    },
  });
}

/** What did not pass of the whole run, the first of them first, beneath the verdict of the run itself. */
export function useTrialsNotPassed(ids: RunIds, run: EvalRun) {
  useReadAgain(ids, run, notPassedKey);
  return useTrialPages(ids, notPassedKey, { result: 'notPassed' });
}

/** Every trial, those that passed too. */
export function useRunTrials(ids: RunIds, run: EvalRun) {
  useReadAgain(ids, run, trialsKey);
  return useTrialPages(ids, trialsKey, {});
}

function useTrialPages(ids: RunIds, key: string, filter: { readonly result?: 'notPassed' }) {
  return useInfiniteQuery({
    queryKey: [...runKey(ids), key],
    ...pagedQuery((page, signal) =>
      client.listEvalRunIterations({ ...ids, ...filter, limit: trialsOfPage, ...page }, { signal }),
    ),
    select: itemsRead,
  });
}

/** Lists are read again when the run has changed. */
function useReadAgain({ projectId, runId }: RunIds, run: EvalRun, name: string): void {
  const cache = useQueryClient();
  const revision = `${run.status} ${run.iterationCount}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again because the run changed.
  useEffect(() => {
    const key = [...runKey({ projectId, runId }), name];
    if (cache.getQueryData(key) !== undefined) void cache.invalidateQueries({ queryKey: key });
  }, [cache, projectId, runId, name, revision]);
}

/** One trial where its own page needs it: from what was read already, else read by itself. */
export function useEvalTrial(ids: RunIds, trialId: string) {
  const cache = useQueryClient();
  return useQuery({
    queryKey: [...runKey(ids), 'trial', trialId],
    queryFn: ({ signal }) => client.getEvalIteration({ ...ids, iterationId: trialId }, { signal }),
    initialData: () =>
      [notPassedKey, trialsKey]
        .flatMap((name) => cache.getQueryData<ReadTrials>([...runKey(ids), name])?.pages ?? [])
        .flatMap(({ items }) => items)
        .find(({ id }) => id === trialId),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useEvalTrace(ids: RunIds, trialId: string) {
  return useQuery({
    queryKey: [...runKey(ids), 'trace', trialId],
    queryFn: ({ signal }) =>
      client.getEvalIterationTrace({ ...ids, iterationId: trialId }, { signal }),
  });
}

/** Lists of tools may be long, so they are read when somebody wants to see them. */
export function useEvalTools(ids: RunIds, trialId: string, isWanted: boolean) {
  return useQuery({
    queryKey: [...runKey(ids), 'tools', trialId],
    queryFn: ({ signal }) =>
      client.getEvalIterationTools({ ...ids, iterationId: trialId }, { signal }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useCancelRun(ids: RunIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.cancelEvalRun({ ...ids }),
    onSuccess: () => cache.invalidateQueries({ queryKey: runKey(ids) }),
  });
}

export function useRerun(ids: RunIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (scope: RerunScope) => client.rerunEvalRun({ ...ids, body: { scope } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['eval-suites', ids.projectId] }),
  });
}

/** How sure the run is of each case variant, for as many trials in a row as somebody asks about. */
export function useRunStatistics(ids: RunIds, k: number | undefined, isWanted: boolean) {
  const query = k === undefined ? {} : { k: String(k) };
  return useQuery({
    queryKey: [...runKey(ids), 'statistics', k],
    queryFn: ({ signal }) => client.getEvalRunStatistics({ ...ids, ...query }, { signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
}

/** Beside the last completed run before it; `none` where there is none. */
export function useRunComparison(ids: RunIds, isWanted: boolean) {
  return useQuery({
    queryKey: [...runKey(ids), 'comparison'],
    queryFn: ({ signal }) =>
      client.compareEvalRun({ ...ids }, { signal }).catch((error: unknown) => {
        const isNone =
          error instanceof ApiError && error.details['reason'] === 'BASELINE_NOT_FOUND';
        if (isNone) return 'none' as const;
        throw error;
      }),
    enabled: isWanted,
  });
}

export function useRequestInsights(ids: RunIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly force: boolean }) =>
      client.requestEvalRunInsights({ ...ids, body }),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: runKey(ids) });
      void cache.invalidateQueries({ queryKey: capabilitiesKey(ids.projectId) });
    },
  });
}

/** What asking counts against, in words; nothing where nothing limits it. */
export function useInsightsLeft(projectId: string): string | undefined {
  const { data } = useCapabilities(projectId);
  const allowed = data?.plan.limits['insightsPerDay'];
  if (typeof allowed !== 'number') return undefined;
  return `${data?.plan.used?.['insightsPerDay'] ?? 0} of ${allowed} used today in this organization.`;
}

/** A run that has ended may still wait for the judge, or to be explained. */
function isUnderWay({ status, judges, insights }: EvalRun): boolean {
  return (
    !isRunEnded(status) ||
    judges?.goalCompletion.status === 'pending' ||
    judges?.groundedness.status === 'pending' ||
    insights?.status === 'pending'
  );
}

function runKey({ projectId, runId }: RunIds) {
  return ['eval-runs', projectId, runId] as const;
}

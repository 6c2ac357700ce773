/**
 * Runs as pages read them. A run in progress is polled, less often the longer it takes, and not while the page is
 * hidden.
 */
import { ApiError, readAllPages } from '@proofmark/client';
import type { EvalRun, OutputOf } from '@proofmark/contract';
import { pollDelayMs, type RerunScope } from '@proofmark/domain';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { capabilitiesKey, useCapabilities } from '../../../kit/data/capabilities.ts';
import { client } from '../../../kit/data/client.ts';
import { isRunEnded } from '../runs/follow-run.ts';
import { projectOfRun } from '../runs/project-of-run.ts';

export type EvalTrial = OutputOf<'getEvalIteration'>;
export type EvalTrace = OutputOf<'getEvalIterationTrace'>;
export type OfferedServer = OutputOf<'getEvalIterationTools'>['servers'][number];

export interface RunIds {
  readonly projectId: string;
  readonly runId: string;
}

export function useEvalRun(ids: RunIds) {
  return useQuery({
    queryKey: runKey(ids),
    queryFn: ({ signal }) => client.getEvalRun({ ...ids }, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isRunUnderWay(state.data)
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

/** Of a trial that goes on there is none yet; when it has ended it is read again. */
export function useEvalTrace(ids: RunIds, trialId: string, isOpen: boolean) {
  return useQuery({
    queryKey: [...runKey(ids), 'trace', trialId, isOpen],
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
export function isRunUnderWay({ status, judges, insights }: EvalRun): boolean {
  return (
    !isRunEnded(status) ||
    judges?.goalCompletion.status === 'pending' ||
    judges?.groundedness.status === 'pending' ||
    insights?.status === 'pending'
  );
}

export function runKey({ projectId, runId }: RunIds) {
  return ['eval-runs', projectId, runId] as const;
}

/**
 * Runs as pages read them. A run that goes on is asked again and again, less often the longer it takes and not while
 * nobody looks. What did not pass is read page by page, together with the trials it speaks of; never the whole run.
 */
import type { OutputOf } from '@proofmark/contract';
import { joinSummaries } from '@proofmark/domain';
import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasEnded, pollDelayMs } from '../evals/follow-run.ts';
import { client } from './client.ts';

export type EvalRun = OutputOf<'getEvalRun'>;
export type EvalTrial = OutputOf<'getEvalIteration'>;
export type EvalTrace = OutputOf<'getEvalIterationTrace'>;
export type OfferedServer = OutputOf<'getEvalIterationTools'>['servers'][number];

export interface RunPlace {
  readonly projectId: string;
  readonly runId: string;
}

const trialsOfPage = 50;

export function useEvalRun(place: RunPlace) {
  return useQuery({
    queryKey: runKey(place),
    queryFn: ({ signal }) => client.getEvalRun({ ...place }, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data)
        ? pollDelayMs(state.dataUpdateCount + state.errorUpdateCount)
        : false,
  });
}

export function useRunDecision(place: RunPlace, run: EvalRun) {
  const cache = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: [...runKey(place), 'decision'],
    queryFn: async ({ pageParam, signal }) => {
      const page = {
        ...place,
        limit: trialsOfPage,
        ...(pageParam !== undefined && { cursor: pageParam }),
      };
      const [summary, trials] = await Promise.all([
        client.getEvalRunDecisionSummary(page, { signal }),
        client.listEvalRunIterations(page, { signal }),
      ]);
      return { summary, trials: trials.items };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ summary }) => summary.diagnostics.nextCursor,
    select: ({ pages: [first, ...following] }) =>
      first && {
        summary: joinSummaries(
          first.summary,
          following.map(({ summary }) => summary),
        ),
        trials: new Map(
          [first, ...following].flatMap(({ trials }) => trials.map((trial) => [trial.id, trial])),
        ),
      },
  });
  const { status, iterationCount, gateWaiver } = run;
  const revision = `${status} ${iterationCount} ${gateWaiver?.id ?? ''}`;
  const { runId, projectId } = place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again because the run changed.
  useEffect(() => {
    const key = [...runKey({ projectId, runId }), 'decision'];
    if (cache.getQueryData(key) !== undefined) void cache.invalidateQueries({ queryKey: key });
  }, [cache, projectId, runId, revision]);
  return query;
}

/** One trial where its own page needs it: from what was read already, else read by itself. */
export function useEvalTrial(place: RunPlace, iterationId: string) {
  const cache = useQueryClient();
  return useQuery({
    queryKey: [...runKey(place), 'trial', iterationId],
    queryFn: ({ signal }) => client.getEvalIteration({ ...place, iterationId }, { signal }),
    initialData: () =>
      cache
        .getQueryData<InfiniteData<{ trials: readonly EvalTrial[] }>>([
          ...runKey(place),
          'decision',
        ])
        ?.pages.flatMap(({ trials }) => trials)
        .find(({ id }) => id === iterationId),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useEvalTrace(place: RunPlace, iterationId: string) {
  return useQuery({
    queryKey: [...runKey(place), 'trace', iterationId],
    queryFn: ({ signal }) => client.getEvalIterationTrace({ ...place, iterationId }, { signal }),
  });
}

/** Lists of tools may be long, so they are read when somebody wants to see them. */
export function useEvalTools(place: RunPlace, iterationId: string, isWanted: boolean) {
  return useQuery({
    queryKey: [...runKey(place), 'tools', iterationId],
    queryFn: ({ signal }) => client.getEvalIterationTools({ ...place, iterationId }, { signal }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useCancelRun(place: RunPlace) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.cancelEvalRun({ ...place }),
    onSuccess: () => cache.invalidateQueries({ queryKey: runKey(place) }),
  });
}

/** A run that has ended may still wait for the judge's word. */
function isUnderWay({ status, judges }: EvalRun): boolean {
  return !hasEnded(status) || judges?.goalCompletion.status === 'pending';
}

function runKey({ projectId, runId }: RunPlace) {
  return ['eval-runs', projectId, runId] as const;
}

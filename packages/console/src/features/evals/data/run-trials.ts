/** Queries for a run's trials. The service filters them, and they are loaded page by page. */
import type { EvalRun } from '@proofmark/contract';
import {
  type InfiniteData,
  keepPreviousData,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { keyOf } from '../../../kit/data/address-key.ts';
import { operationQuery, useOperation, usePages } from '../../../kit/data/operations.ts';
import { isRunEnded, isTrialOpen } from '../runs/follow-run.ts';
import { type TrialSearch, trialFilterOf } from '../runs/run-search.ts';
import { type Neighbours, neighboursOf } from '../trials/neighbours.ts';
import type { EvalTrial, RunIds } from './eval-runs.ts';

const trialsOfPage = 50;
/** Maximum number of pages searched for the trial that the page shows. */
const mostPagesSearched = 20;
const stagesEveryMs = 10_000;
const openTrialEveryMs = 2_000;

type ReadTrials = InfiniteData<{ readonly items: readonly EvalTrial[] }>;

/** Without a filter, returns trials that did not pass. */
export function useRunTrials(ids: RunIds, run: EvalRun, search: TrialSearch, isWanted = true) {
  useReadAgain(ids, run);
  return useTrialPages(ids, search, isWanted);
}

function useTrialPages(ids: RunIds, search: TrialSearch, isWanted = true) {
  const filter = trialFilterOf(search);
  return usePages(
    'listEvalRunIterations',
    { ...ids, ...filter, limit: trialsOfPage },
    { enabled: isWanted, placeholderData: keepPreviousData },
  );
}

function useReadAgain({ projectId, runId }: RunIds, run: EvalRun): void {
  const cache = useQueryClient();
  const revision = `${run.status} ${run.iterationCount}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are read again because the run changed.
  useEffect(() => {
    const queryKey = keyOf('listEvalRunIterations', { projectId, runId });
    void cache.invalidateQueries({ queryKey, predicate: ({ state }) => state.data !== undefined });
  }, [cache, projectId, runId, revision]);
}

/** Takes the trial from a loaded list if possible, and polls it until it has ended. */
export function useEvalTrial(ids: RunIds, trialId: string) {
  const cache = useQueryClient();
  return useQuery({
    ...operationQuery('getEvalIteration', { ...ids, iterationId: trialId }),
    initialData: () =>
      cache
        .getQueriesData<ReadTrials>({ queryKey: keyOf('listEvalRunIterations', ids) })
        .flatMap(([, read]) => read?.pages ?? [])
        .flatMap(({ items }) => items)
        .find(({ id }) => id === trialId),
    staleTime: ({ state }) => (isOpen(state.data) ? 0 : Number.POSITIVE_INFINITY),
    refetchInterval: ({ state }) => (isOpen(state.data) ? openTrialEveryMs : false),
  });
}

function isOpen(trial: EvalTrial | undefined): boolean {
  return trial !== undefined && isTrialOpen(trial.status);
}

/**
 * Returns the previous and next trial in the filtered list. Undefined if the list does not contain
 * this trial.
 */
export function useNeighbours(
  ids: RunIds,
  trialId: string,
  search: TrialSearch,
): Neighbours | undefined {
  const trials = useTrialPages(ids, search);
  const { data, hasNextPage, isFetching, fetchNextPage } = trials;
  const found = data && neighboursOf(data, trialId, hasNextPage);
  const mayBeFurther = (data?.length ?? 0) < trialsOfPage * mostPagesSearched;
  const isShort = data !== undefined && (found === undefined ? mayBeFurther : found.mayFollow);
  useEffect(() => {
    if (isShort && hasNextPage && !isFetching) void fetchNextPage();
  }, [isShort, hasNextPage, isFetching, fetchNextPage]);
  return found;
}

/**
 * The service counts all trials for this request, so a run in progress is polled only every ten
 * seconds.
 */
export function useRunStages(ids: RunIds, run: EvalRun) {
  const isEnded = isRunEnded(run.status);
  return useOperation('getEvalRunStages', ids, {
    asOf: isEnded,
    refetchInterval: isEnded ? false : stagesEveryMs,
    placeholderData: keepPreviousData,
  });
}

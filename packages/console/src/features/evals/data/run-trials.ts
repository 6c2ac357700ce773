/** The trials of a run as pages read them: page by page, by a filter that the service applies; never the whole run at once. */
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
/** So many pages are read on to find the trial that a page is about. */
const mostPagesSearched = 20;
const stagesEveryMs = 10_000;
const openTrialEveryMs = 2_000;

type ReadTrials = InfiniteData<{ readonly items: readonly EvalTrial[] }>;

/** What is picked of the whole run, the first of them first; without a word those that did not pass. */
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

/** Lists are read again when the run has changed. */
function useReadAgain({ projectId, runId }: RunIds, run: EvalRun): void {
  const cache = useQueryClient();
  const revision = `${run.status} ${run.iterationCount}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are read again because the run changed.
  useEffect(() => {
    const queryKey = keyOf('listEvalRunIterations', { projectId, runId });
    void cache.invalidateQueries({ queryKey, predicate: ({ state }) => state.data !== undefined });
  }, [cache, projectId, runId, revision]);
}

/** One trial where its own page needs it: from what was read already, else read by itself, until it has ended. */
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

/** The trials before and after one among those that are picked; nothing where it is not found among them. */
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

/** Where the run breaks. It is counted over all trials, so not at every change of a run that goes on. */
export function useRunStages(ids: RunIds, run: EvalRun) {
  const isEnded = isRunEnded(run.status);
  return useOperation('getEvalRunStages', ids, {
    asOf: isEnded,
    refetchInterval: isEnded ? false : stagesEveryMs,
    placeholderData: keepPreviousData,
  });
}

/**
 * Runs of journeys as pages read them. One that goes on, or waits for grades, is polled as runs of suites are. A run has at
 * most 500 sessions, so they are read at once.
 */
import { ApiError, readAllPages } from '@proofmark/client';
import type { BodyInputOf, OutputOf } from '@proofmark/contract';
import { isGradingPending, pollDelayMs } from '@proofmark/domain';
import {
  type QueryState,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { itemsRead, pagedQuery } from '../../../kit/data/paged-query.ts';
import type { RunIds } from '../../evals/data/eval-runs.ts';
import { isUnderWay, mayChange } from '../may-change.ts';
import type { Journey } from './swarms.ts';

export type JourneyRun = OutputOf<'getJourneyRun'>;
export type JourneySession = OutputOf<'listJourneyRunSessions'>['items'][number];
export type RunScorecard = OutputOf<'getJourneyRunScorecard'>;

export interface JourneyIds {
  readonly projectId: string;
  readonly journeyId: string;
}

export interface WatchedRun {
  readonly run: JourneyRun;
  readonly sessions: readonly JourneySession[];
  /** Null where the run has no criteria. */
  readonly card: RunScorecard | null;
}

const sessionsOfPage = 200;

/** The run first: what is read after it of a run that had ended is whole. */
export function useJourneyRun(ids: RunIds) {
  return useQuery({
    queryKey: runKey(ids),
    queryFn: async ({ signal }): Promise<WatchedRun> => {
      const run = await client.getJourneyRun({ ...ids }, { signal });
      const [card, sessions] = await Promise.all([
        readScorecard(ids, signal),
        readAllPages((page) =>
          client.listJourneyRunSessions({ ...ids, limit: sessionsOfPage, ...page }, { signal }),
        ),
      ]);
      return { run, card, sessions };
    },
    refetchInterval: ({ state }) =>
      state.data !== undefined && isUnderWay(state.data)
        ? pollDelayMs(state.dataUpdateCount + state.errorUpdateCount)
        : false,
  });
}

export function useSessionTrace(ids: RunIds, sessionId: string, isLive: boolean) {
  return useQuery({
    queryKey: [...runKey(ids), 'trace', sessionId],
    queryFn: ({ signal }) => client.getJourneyRunSessionTrace({ ...ids, sessionId }, { signal }),
    refetchInterval: ({ state }) => (isLive ? pollDelayMs(state.dataUpdateCount) : false),
  });
}

export function useJourneyRuns(ids: JourneyIds) {
  return useInfiniteQuery({
    queryKey: ['journeys', ids.projectId, ids.journeyId, 'runs'],
    ...pagedQuery((page, signal) => client.listJourneyRuns({ ...ids, ...page }, { signal })),
    select: itemsRead,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(mayChange))
        ? pollDelayMs(state.dataUpdateCount)
        : false,
  });
}

/** Of runs that have ended, in the order that was asked for, each read again until it is graded; one that is not read yet or has no criteria is null. */
export function useScorecards(projectId: string, runIds: readonly string[]) {
  return useQueries({
    queries: runIds.map((runId) => ({
      queryKey: [...runKey({ projectId, runId }), 'scorecard'],
      queryFn: ({ signal }: { signal: AbortSignal }) => readScorecard({ projectId, runId }, signal),
      refetchInterval: ({ state }: { state: QueryState<RunScorecard | null> }) =>
        isGradingPending(state.data ?? undefined) ? pollDelayMs(state.dataUpdateCount) : false,
    })),
    combine: (answers) => answers.map(({ data }) => data ?? null),
  });
}

export function useLaunchJourney(ids: JourneyIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'launchJourneyRun'>) =>
      client.launchJourneyRun({ ...ids, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['journeys', ids.projectId] }),
  });
}

/** Of the journey as it was last edited. */
export function useJourneyEstimate(ids: JourneyIds, editedAt: number) {
  return useQuery(estimateQuery(ids, editedAt));
}

/** Of several journeys: those that could be told, and how many would be refused. */
export function useJourneyEstimates(journeys: readonly Journey[]) {
  return useQueries({
    queries: journeys.map(({ projectId, id: journeyId, updatedAt }) =>
      estimateQuery({ projectId, journeyId }, updatedAt),
    ),
    combine: (answers) => ({
      estimates: answers.flatMap(({ data }) => data ?? []),
      refused: answers.filter(({ isError }) => isError).length,
    }),
  });
}

function estimateQuery(ids: JourneyIds, editedAt: number) {
  return {
    queryKey: ['journeys', ids.projectId, ids.journeyId, 'estimate', editedAt],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      client.estimateJourneyRun({ ...ids, body: {} }, { signal }),
    retry: false,
  };
}

export function useCancelJourneyRun(ids: RunIds) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.cancelJourneyRun({ ...ids }),
    onSuccess: () => cache.invalidateQueries({ queryKey: runKey(ids) }),
  });
}

async function readScorecard(ids: RunIds, signal: AbortSignal): Promise<RunScorecard | null> {
  try {
    return await client.getJourneyRunScorecard({ ...ids }, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.details['reason'] === 'NO_RUBRIC') return null;
    throw error;
  }
}

function runKey({ projectId, runId }: RunIds) {
  return ['journey-runs', projectId, runId] as const;
}

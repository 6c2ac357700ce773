/**
 * Queries for journey runs. A run that is in progress or waits for grades is polled. A run has at
 * most 500 sessions, so all of them are loaded.
 */
import { ApiError, readAllPages } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { isGradingPending, pollDelayMs } from '@proofmark/domain';
import { useQueries, useQuery } from '@tanstack/react-query';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { operationQuery, pollWhile, useOperation } from '../../../kit/data/operations.ts';
import type { RunIds } from '../../evals/index.ts';
import { isUnderWay } from '../may-change.ts';
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
  /** Null if the run has no criteria. */
  readonly card: RunScorecard | null;
}

const sessionsOfPage = 200;

/**
 * Loads the run before its sessions. If the run has ended, the sessions loaded after it are
 * complete.
 */
export function useJourneyRun(ids: RunIds) {
  return useQuery({
    queryKey: [...keyOf('getJourneyRun', ids), 'with its sessions'],
    queryFn: async ({ signal }): Promise<WatchedRun> => {
      const run = await client.getJourneyRun({ ...ids }, { signal });
      const [card, sessions] = await Promise.all([
        run.grades === null ? null : readScorecard(ids, signal),
        readAllPages((page) =>
          client.listJourneyRunSessions({ ...ids, limit: sessionsOfPage, ...page }, { signal }),
        ),
      ]);
      return { run, card, sessions };
    },
    refetchInterval: pollWhile(isUnderWay),
  });
}

export function useSessionTrace(ids: RunIds, sessionId: string, isLive: boolean) {
  return useOperation(
    'getJourneyRunSessionTrace',
    { ...ids, sessionId },
    { refetchInterval: ({ state }) => (isLive ? pollDelayMs(state.dataUpdateCount) : false) },
  );
}

/**
 * Returns the scorecards in the given order, and polls each one until it is graded. An entry is
 * null if its run is not loaded or has no criteria.
 */
export function useScorecards(
  projectId: string,
  runs: readonly Pick<JourneyRun, 'id' | 'grades'>[],
) {
  return useQueries({
    queries: runs.map(({ id: runId, grades }) => ({
      queryKey: [...keyOf('getJourneyRunScorecard', { projectId, runId }), 'or none'],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        grades === null ? null : readScorecard({ projectId, runId }, signal),
      refetchInterval: pollWhile((card: RunScorecard | null) =>
        isGradingPending(card ?? undefined),
      ),
    })),
    combine: (answers) => answers.map(({ data }) => data ?? null),
  });
}

/** `editedAt` is part of the query key, so each edit of the journey loads a new estimate. */
export function useJourneyEstimate(ids: JourneyIds, editedAt: number) {
  return useQuery(estimateQuery(ids, editedAt));
}

/** Returns the estimates known so far, and how many of the journeys could not be launched. */
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
  const query = operationQuery('estimateJourneyRun', { ...ids, body: {} });
  return {
    ...query,
    queryKey: [...query.queryKey, editedAt],
  };
}

async function readScorecard(ids: RunIds, signal: AbortSignal): Promise<RunScorecard | null> {
  try {
    return await client.getJourneyRunScorecard({ ...ids }, { signal });
  } catch (error) {
    if (error instanceof ApiError && error.details['reason'] === 'NO_RUBRIC') return null;
    throw error;
  }
}

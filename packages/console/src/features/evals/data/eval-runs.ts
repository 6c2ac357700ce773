/**
 * Queries for runs. A run in progress is polled at growing intervals, and only while the page is
 * visible.
 */
import { ApiError, readAllPages } from '@proofmark/client';
import type { EvalRun, OutputOf } from '@proofmark/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { allBelow, keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { pollWhile, useChange, useOperation } from '../../../kit/data/operations.ts';
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
  return useOperation('getEvalRun', ids, { refetchInterval: pollWhile(isRunUnderWay) });
}

/**
 * Finds the project of a run if the page's address names no project or a wrong one. Returns null if
 * the user sees the run in no project.
 */
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

/** A trial in progress has no trace, so the trace is loaded after the trial has ended. */
export function useEvalTrace(ids: RunIds, trialId: string, isOpen: boolean) {
  return useOperation('getEvalIterationTrace', { ...ids, iterationId: trialId }, { asOf: isOpen });
}

/** `k` is the number of consecutive trials that must all pass. */
export function useRunStatistics(ids: RunIds, k: number | undefined, enabled: boolean) {
  return useOperation(
    'getEvalRunStatistics',
    { ...ids, ...(k !== undefined && { k: String(k) }) },
    { enabled, placeholderData: keepPreviousData },
  );
}

export function useRequestInsights(ids: RunIds) {
  return useChange('requestEvalRunInsights', ids, {
    readAgain: [
      allBelow('getEvalRun', ids),
      keyOf('getProjectCapabilities', { projectId: ids.projectId }),
    ],
  });
}

export function isRunUnderWay({ status, judges, insights }: EvalRun): boolean {
  return (
    !isRunEnded(status) ||
    judges?.goalCompletion.status === 'pending' ||
    judges?.groundedness.status === 'pending' ||
    insights?.status === 'pending'
  );
}

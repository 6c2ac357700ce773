/** The queries for the tools that models were shown. */
import type { EvalRun } from '@proofmark/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import type { RunIds } from './eval-runs.ts';

/**
 * Returns the differences between the tools of a failed run and those of the run before it;
 * undefined if there is none.
 */
export function useRunSurface(ids: RunIds, run: FailedRun) {
  return useQuery({ ...runSurfaceQuery(ids, run), enabled: isExplainedByTools(run) });
}

type FailedRun = Pick<EvalRun, 'verdict' | 'source' | 'suiteId' | 'runNumber'>;

export function isExplainedByTools({
  verdict,
  source,
}: Pick<FailedRun, 'verdict' | 'source'>): boolean {
  return verdict === 'failed' && source !== 'sdk';
}

export function runSurfaceQuery(ids: RunIds, run: FailedRun) {
  return queryOptions({
    queryKey: [...keyOf('getEvalRunSurface', ids), 'or none'],
    queryFn: async ({ signal }) =>
      (await mayHaveBase(ids, run, signal))
        ? client.getEvalRunSurface(ids, { signal }).catch(() => null)
        : null,
  });
}

/**
 * Checks first that an earlier run exists. Otherwise every first run of a suite would show a failed
 * request as an error in the browser's console.
 */
async function mayHaveBase(
  { projectId }: RunIds,
  { suiteId, runNumber }: FailedRun,
  signal: AbortSignal,
): Promise<boolean> {
  if (runNumber === 1) return false;
  const { items, nextCursor } = await client.listEvalSuiteRuns({ projectId, suiteId }, { signal });
  const isBase = (one: EvalRun) =>
    isOfSuite(one) && one.runNumber < runNumber && one.status === 'completed';
  return nextCursor !== undefined || items.some(isBase);
}

/**
 * Returns false for a replay and for a run with an overlay, since they do not measure the suite.
 */
function isOfSuite({ replay, overlay }: EvalRun): boolean {
  return replay === undefined && overlay === undefined;
}

import type { EvalRun } from '@proofmark/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import type { RunIds } from './eval-runs.ts';

/**
 * Returns the differences between the tools of a failed run and the run before it. Null if there is
 * no earlier run.
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
 * Whether there may be an earlier run. Without this check, the first run of a suite would cause a
 * failed request, which browsers show as an error in their console.
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

/** A replay or a run with an overlay does not measure the suite as it is. */
function isOfSuite({ replay, overlay }: EvalRun): boolean {
  return replay === undefined && overlay === undefined;
}

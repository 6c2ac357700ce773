/** What is told of the tools that models were shown. */
import type { EvalRun } from '@proofmark/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import type { RunIds } from './eval-runs.ts';

/** How the tools of a run that failed differ from those of the run before; nothing where there is none. */
export function useRunSurface(ids: RunIds, run: FailedRun) {
  return useQuery({ ...runSurfaceQuery(ids), enabled: isExplainedByTools(run) });
}

type FailedRun = Pick<EvalRun, 'verdict' | 'source'>;

export function isExplainedByTools({ verdict, source }: FailedRun): boolean {
  return verdict === 'failed' && source !== 'sdk';
}

export function runSurfaceQuery(ids: RunIds) {
  return queryOptions({
    queryKey: [...keyOf('getEvalRunSurface', ids), 'or none'],
    queryFn: ({ signal }) => client.getEvalRunSurface(ids, { signal }).catch(() => null),
  });
}

/** A run beside another of its suite: what came of both, and what they were given. */
import { ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { type RunIds, runKey } from './eval-runs.ts';

export type RunComparison = OutputOf<'compareEvalRun'>;
export type RunDifferences = OutputOf<'getEvalRunDifferences'>;

/** Stands in an address for the last completed run before. */
export const runBefore = 'before';

/** `none` where the suite has no such run to compare with. */
export function useRunComparison(ids: RunIds, base: string) {
  return useQuery({
    queryKey: [...runKey(ids), 'comparison', base],
    queryFn: ({ signal }) =>
      client.compareEvalRun({ ...ids, ...baseOf(base) }, { signal }).catch((error: unknown) => {
        const isNone =
          error instanceof ApiError && error.details['reason'] === 'BASELINE_NOT_FOUND';
        if (isNone) return 'none' as const;
        throw error;
      }),
  });
}

export function useRunDifferences(ids: RunIds, base: string) {
  return useQuery({
    queryKey: [...runKey(ids), 'differences', base],
    queryFn: ({ signal }) => client.getEvalRunDifferences({ ...ids, ...baseOf(base) }, { signal }),
  });
}

function baseOf(base: string) {
  return base === runBefore ? {} : { baseRunId: base };
}

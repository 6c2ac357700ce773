import { ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { useQuery } from '@tanstack/react-query';
import { keyOf } from '../../../kit/data/address-key.ts';
import { client } from '../../../kit/data/client.ts';
import { pollWhile, useOperation } from '../../../kit/data/operations.ts';
import type { RunIds } from './eval-runs.ts';

export type RunComparison = OutputOf<'compareEvalRun'>;
export type RunDifferences = OutputOf<'getEvalRunDifferences'>;

/** In a page's address: the last completed run before this one. */
export const runBefore = 'before';

/** Returns `none` if the suite has no run to compare with. */
export function useRunComparison(ids: RunIds, base: string) {
  return useQuery({
    queryKey: [...keyOf('compareEvalRun', { ...ids, ...baseOf(base) }), 'or none'],
    queryFn: ({ signal }) =>
      client.compareEvalRun({ ...ids, ...baseOf(base) }, { signal }).catch((error: unknown) => {
        const isNone =
          error instanceof ApiError && error.details['reason'] === 'BASELINE_NOT_FOUND';
        if (isNone) return 'none' as const;
        throw error;
      }),
    // Polled while one of the runs is in progress.
    refetchInterval: pollWhile(
      (read: RunComparison | 'none') => read !== 'none' && isGoingOn(read),
    ),
  });
}

export function isGoingOn({ baseRun, compareRun }: RunComparison): boolean {
  return baseRun.completedAt === null || compareRun.completedAt === null;
}

/** `asOf` loads the differences a second time when both runs have ended. */
export function useRunDifferences(ids: RunIds, base: string, isFinal: boolean) {
  return useOperation('getEvalRunDifferences', { ...ids, ...baseOf(base) }, { asOf: isFinal });
}

function baseOf(base: string) {
  return base === runBefore ? {} : { baseRunId: base };
}

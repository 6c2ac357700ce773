/** A run beside another of its suite: what came of both, and what they were given. */
import { ApiError } from '@proofmark/client';
import type { OutputOf } from '@proofmark/contract';
import { pollDelayMs } from '@proofmark/domain';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
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
    // Of runs that go on, what stands there follows them.
    refetchInterval: ({ state }) =>
      state.data !== undefined && state.data !== 'none' && isGoingOn(state.data)
        ? pollDelayMs(state.dataUpdateCount + state.errorUpdateCount)
        : false,
  });
}

export function isGoingOn({ baseRun, compareRun }: RunComparison): boolean {
  return baseRun.completedAt === null || compareRun.completedAt === null;
}

/** Of runs that go on it is read again when they have ended. */
export function useRunDifferences(ids: RunIds, base: string, isFinal: boolean) {
  return useQuery({
    queryKey: [...runKey(ids), 'differences', base, isFinal],
    queryFn: ({ signal }) => client.getEvalRunDifferences({ ...ids, ...baseOf(base) }, { signal }),
  });
}

function baseOf(base: string) {
  return base === runBefore ? {} : { baseRunId: base };
}

import { useQuery } from '@tanstack/react-query';
import type { WhyNotRun } from '../suites/case-draft.ts';

/** The engine of the service, loaded where somebody edits; until it is there nothing is said of a pattern. */
export function usePatternCheck(): WhyNotRun {
  const query = useQuery({
    queryKey: ['pattern-check'],
    queryFn: () => import('@proofmark/server/patterns'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return query.data?.whyPatternNeverRuns ?? nothingSaid;
}

const nothingSaid: WhyNotRun = () => undefined;

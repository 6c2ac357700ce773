import { useQuery } from '@tanstack/react-query';
import type { WhyNotRun } from '../suites/case-draft.ts';

/**
 * Loads the service's regular-expression engine on demand, when a case or suite is edited. Until it
 * is loaded, patterns count as valid.
 */
export function usePatternCheck(): WhyNotRun {
  const query = useQuery({
    queryKey: ['pattern-check'],
    queryFn: () => import('@proofmark/server/patterns'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return query.data?.whyPatternNeverRuns ?? noReason;
}

const noReason: WhyNotRun = () => undefined;

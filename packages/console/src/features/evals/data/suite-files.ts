import { useQuery } from '@tanstack/react-query';

/** Loads the service's code for suite files only for editors. */
const load = () => import('@proofmark/server/suite-files');

export type SuiteFiles = Awaited<ReturnType<typeof load>>;

export function useSuiteFiles() {
  return useQuery({
    queryKey: ['suite-files'],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

import { useQuery } from '@tanstack/react-query';

/** Reading and writing suite files as the service does; loaded where somebody edits. */
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

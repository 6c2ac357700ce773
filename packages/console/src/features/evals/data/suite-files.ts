import { useQuery } from '@tanstack/react-query';

/**
 * Loads the code that reads and writes suite files on demand. Only editors and the import of a file
 * need it.
 */
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

/**
 * The cache for all pages. After UNAUTHORIZED, the session may have ended; after FORBIDDEN on a
 * write, its CSRF token may be outdated. Both errors reload the session.
 */
import { ApiError } from '@proofmark/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

export const sessionKey = ['session', {}] as const;

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => readSessionAgain(error, ['UNAUTHORIZED']) }),
  mutationCache: new MutationCache({
    onError: (error) => readSessionAgain(error, ['UNAUTHORIZED', 'FORBIDDEN']),
  }),
  defaultOptions: {
    // No retries here: the API client itself retries requests that are safe to repeat.
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

function readSessionAgain(error: Error, codes: readonly string[]): void {
  if (error instanceof ApiError && codes.includes(error.code)) {
    void queryClient.invalidateQueries({ queryKey: sessionKey });
  }
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';

const keyOf = (projectId: string) => ['scorer-secret', projectId] as const;

export function useScorerSecret(projectId: string) {
  return useQuery({
    queryKey: keyOf(projectId),
    queryFn: ({ signal }) => client.getScorerSecret({ projectId }, { signal }),
  });
}

export function useRotateScorerSecret(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: () => client.rotateScorerSecret({ projectId }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: keyOf(projectId) }),
    // The answer holds the secret itself; it is kept no longer than the dialog that shows it.
    gcTime: 0,
  });
}

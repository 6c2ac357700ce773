import type { BodyInputOf } from '@proofmark/contract';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';
import { pagedQuery } from '../../../kit/data/paged-query.ts';

const apiKeysKey = ['api-keys'] as const;

export function useApiKeys() {
  return useInfiniteQuery({
    queryKey: apiKeysKey,
    ...pagedQuery((page, signal) => client.listApiKeys(page, { signal })),
  });
}

export function useCreateApiKey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'createApiKey'>) => client.createApiKey({ body }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: apiKeysKey }),
    // The answer holds the key itself; it is kept no longer than the dialog that shows it.
    gcTime: 0,
  });
}

export function useRevokeApiKey() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) => client.revokeApiKey({ keyId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: apiKeysKey }),
  });
}

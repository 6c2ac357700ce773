import type { BodyInputOf } from '@proofmark/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';

const providersKey = (organizationId: string) => ['model-providers', organizationId] as const;

export function useModelProviders(organizationId: string) {
  return useQuery({
    queryKey: providersKey(organizationId),
    queryFn: async ({ signal }) =>
      (await client.listModelProviders({ organizationId }, { signal })).items,
  });
}

/** What was sent may hold a key; it is kept no longer than the dialog it was written in. */
export function useSetModelProvider(organizationId: string) {
  const readAgain = useReadProvidersAgain(organizationId);
  return useMutation({
    mutationFn: (wanted: { providerName: string; body: BodyInputOf<'setModelProvider'> }) =>
      client.setModelProvider({ organizationId, ...wanted }),
    onSuccess: readAgain,
    gcTime: 0,
  });
}

export function useDeleteModelProvider(organizationId: string) {
  const readAgain = useReadProvidersAgain(organizationId);
  return useMutation({
    mutationFn: (providerName: string) =>
      client.deleteModelProvider({ organizationId, providerName }),
    onSuccess: readAgain,
  });
}

export function useTestModelProvider(organizationId: string, providerName: string) {
  return useMutation({
    mutationFn: (model: string | undefined) =>
      client.testModelProvider({
        ...{ organizationId, providerName },
        body: model === undefined ? {} : { model },
      }),
  });
}

function useReadProvidersAgain(organizationId: string) {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: providersKey(organizationId) });
}

/** The API document of this installation. It is public, so the reference works signed out. */
import { useQuery } from '@tanstack/react-query';
import type { ApiDocument } from '../../../kit/schemas/api-document.ts';

export function useApiDocument() {
  return useQuery({
    queryKey: ['api-document'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<ApiDocument> => {
      const response = await fetch('/api/v1/openapi.json', { signal });
      if (!response.ok) throw new Error(`The API document could not be read (${response.status}).`);
      return (await response.json()) as ApiDocument;
    },
  });
}

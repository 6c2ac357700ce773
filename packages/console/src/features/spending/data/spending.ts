import type { OutputOf } from '@proofmark/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';

export type OrganizationSpending = OutputOf<'getOrganizationSpending'>;

/** Of today where no day is given. */
export function useSpending(organizationId: string, day: string | undefined) {
  return useQuery({
    queryKey: ['spending', organizationId, day ?? null],
    queryFn: ({ signal }) =>
      client.getOrganizationSpending(
        { organizationId, ...(day !== undefined && { day }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

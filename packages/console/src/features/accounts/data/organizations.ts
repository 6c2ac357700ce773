import { readAllPages } from '@proofmark/client';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';

export function useOrganizations() {
  return useQuery({
    queryKey: ['organizations'],
    queryFn: ({ signal }) => readAllPages((page) => client.listOrganizations(page, { signal })),
  });
}

/** The name by which people know an organization; an ellipsis until the list is there. */
export function useOrganizationName() {
  const { data } = useOrganizations();
  return (id: string | null) => {
    if (id === null) return 'removed organization';
    if (data === undefined) return '…';
    return data.find((organization) => organization.id === id)?.name ?? id;
  };
}

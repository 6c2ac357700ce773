import { useWholeList } from '../../../kit/data/operations.ts';

/**
 * Returns a function for the display names of organizations; it returns "…" until they are loaded.
 */
export function useOrganizationName() {
  const { data } = useWholeList('listOrganizations', {});
  return (id: string | null) => {
    if (id === null) return 'removed organization';
    if (data === undefined) return '…';
    return data.find((organization) => organization.id === id)?.name ?? id;
  };
}

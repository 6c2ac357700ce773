import { useWholeList } from '../../../kit/data/operations.ts';

/** Returns the display name of an organization; an ellipsis until the list is loaded. */
export function useOrganizationName() {
  const { data } = useWholeList('listOrganizations', {});
  return (id: string | null) => {
    if (id === null) return 'removed organization';
    if (data === undefined) return '…';
    return data.find((organization) => organization.id === id)?.name ?? id;
  };
}

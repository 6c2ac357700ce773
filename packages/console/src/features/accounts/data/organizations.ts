import { useWholeList } from '../../../kit/data/operations.ts';

/** Until the organizations are loaded, the returned function yields "…" for each id. */
export function useOrganizationName() {
  const { data } = useWholeList('listOrganizations', {});
  return (id: string | null) => {
    if (id === null) return 'removed organization';
    if (data === undefined) return '…';
    return data.find((organization) => organization.id === id)?.name ?? id;
  };
}

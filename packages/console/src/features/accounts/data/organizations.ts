import { useWholeList } from '../../../kit/data/operations.ts';

/** The returned function yields "…" until the organizations are loaded. */
export function useOrganizationName() {
  const { data } = useWholeList('listOrganizations', {});
  return (id: string | null) => {
    if (id === null) return 'removed organization';
    if (data === undefined) return '…';
    return data.find((organization) => organization.id === id)?.name ?? id;
  };
}

import { useWholeList } from '../../../kit/data/operations.ts';

export interface MemberIds {
  readonly organizationId: string;
  readonly accountId: string;
}

/** One member out of the list, which the page before has read; null when not in it. */
export function useMember({ organizationId, accountId }: MemberIds) {
  const members = useWholeList('listMembers', { organizationId, limit: 200 });
  const found = members.data?.find((member) => member.accountId === accountId);
  return { ...members, data: members.data === undefined ? undefined : (found ?? null) };
}

import { readAllPages } from '@proofmark/client';
import type { BodyInputOf } from '@proofmark/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../kit/data/client.ts';

const membersKey = (organizationId: string) => ['members', organizationId] as const;
const invitationsKey = (organizationId: string) => ['invitations', organizationId] as const;

export function useMembers(organizationId: string) {
  return useQuery({
    queryKey: membersKey(organizationId),
    queryFn: ({ signal }) =>
      readAllPages((page) =>
        client.listMembers({ organizationId, limit: 200, ...page }, { signal }),
      ),
  });
}

/** One member out of the list, which the page before has read; null when not in it. */
export function useMember(organizationId: string, accountId: string) {
  const members = useMembers(organizationId);
  const found = members.data?.find((member) => member.accountId === accountId);
  return { ...members, data: members.data === undefined ? undefined : (found ?? null) };
}

export interface MemberIds {
  readonly organizationId: string;
  readonly accountId: string;
}

export function useUpdateMember(ids: MemberIds) {
  return useMemberChange(ids.organizationId, (body: BodyInputOf<'updateMember'>) =>
    client.updateMember({ ...ids, body }),
  );
}

export function useSetMemberTier(ids: MemberIds) {
  return useMemberChange(
    ids.organizationId,
    ({ projectId, ...body }: BodyInputOf<'setMemberTier'> & { projectId: string }) =>
      client.setMemberTier({ ...ids, projectId, body }),
  );
}

export function useSetMemberDisabled(ids: MemberIds) {
  return useMemberChange(ids.organizationId, (disabled: boolean) =>
    client.setMemberDisabled({ ...ids, body: { disabled } }),
  );
}

export function useEndMemberSessions(ids: MemberIds) {
  return useMemberChange(ids.organizationId, () => client.endMemberSessions(ids));
}

/** The answer holds a link; it is kept no longer than the dialog that shows it. */
export function useResetMemberPassword(ids: MemberIds) {
  return useMemberChange(ids.organizationId, () => client.resetMemberPassword(ids), 0);
}

/** `leave` goes to another page first: the one that stands must not read what is gone. */
export function useRemoveMember(ids: MemberIds, leave: () => Promise<void>) {
  const readAgain = useReadMembersAgain(ids.organizationId);
  return useMutation({
    mutationFn: () => client.removeMember(ids),
    onSuccess: async () => {
      await leave();
      await readAgain();
    },
  });
}

export function useInvitations(organizationId: string) {
  return useQuery({
    queryKey: invitationsKey(organizationId),
    queryFn: ({ signal }) =>
      readAllPages((page) =>
        client.listInvitations({ organizationId, limit: 200, ...page }, { signal }),
      ),
  });
}

export function useInvite(organizationId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<'createInvitation'>) =>
      client.createInvitation({ organizationId, body }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
    gcTime: 0,
  });
}

export function useWithdrawInvitation(organizationId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) =>
      client.withdrawInvitation({ organizationId, invitationId }),
    onSuccess: () => cache.invalidateQueries({ queryKey: invitationsKey(organizationId) }),
  });
}

function useMemberChange<Change, Answer>(
  organizationId: string,
  mutationFn: (change: Change) => Promise<Answer>,
  gcTime?: number,
) {
  const readAgain = useReadMembersAgain(organizationId);
  return useMutation({
    mutationFn,
    onSuccess: readAgain,
    ...(gcTime !== undefined && { gcTime }),
  });
}

function useReadMembersAgain(organizationId: string) {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: membersKey(organizationId) });
}

import type { OutputOf } from '@proofmark/contract';
import type { StoredMember } from '../accounts/store/members.ts';

export function presentMember(
  { joinedAt, disabledAt, tiers, ...member }: StoredMember,
  callerId: string,
): OutputOf<'updateMember'> {
  return {
    ...member,
    isMe: member.accountId === callerId,
    joinedAt: joinedAt.getTime(),
    disabledAt: disabledAt?.getTime() ?? null,
    tiers: [...tiers],
  };
}

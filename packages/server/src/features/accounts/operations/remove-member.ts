import { endMembership } from '../../../platform/accounts/members.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { changeMember } from '../../../platform/operations/change-member.ts';
import { orRefuse } from './refuse-problem.ts';

export const removeMember: Action<'removeMember'> = (context, { params }) =>
  changeMember(context, params.organizationId, async (sql, by) => {
    const { revokedKeys } = orRefuse(await endMembership(sql, by, params));
    return { accountId: params.accountId, removed: true, revokedKeys: revokedKeys.length };
  });

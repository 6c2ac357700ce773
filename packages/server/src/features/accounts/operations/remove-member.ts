import { endMembership } from '../../../platform/accounts/members.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { inOwnOrganization } from '../../../platform/operations/in-own-organization.ts';
import { orRefuse } from './refuse-problem.ts';

export const removeMember: Action<'removeMember'> = (context, { params }) =>
  inOwnOrganization(context, params.organizationId, async (sql, by) => {
    const { revokedKeys } = orRefuse(await endMembership(sql, by, params));
    return { accountId: params.accountId, removed: true, revokedKeys: revokedKeys.length };
  });

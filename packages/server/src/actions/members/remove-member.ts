import { endMembership } from '../../accounts/members.ts';
import type { Action } from '../action.ts';
import { inOwnOrganization } from './in-own-organization.ts';
import { orRefuse } from './refuse-problem.ts';

export const removeMember: Action<'removeMember'> = (context, { params }) =>
  inOwnOrganization(context, params.organizationId, async (sql, by) => {
    const { revokedKeys } = orRefuse(await endMembership(sql, by, params));
    return { accountId: params.accountId, removed: true, revokedKeys: revokedKeys.length };
  });

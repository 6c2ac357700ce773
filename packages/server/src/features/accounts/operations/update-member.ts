import { changeRole } from '../../../platform/accounts/members.ts';
import type { Action } from '../../../platform/operations/action.ts';
import { changeMember, showMember } from '../../../platform/operations/change-member.ts';
import { orRefuse } from './refuse-problem.ts';

export const updateMember: Action<'updateMember'> = (context, { params, body }) =>
  changeMember(context, params.organizationId, async (sql, by) => {
    orRefuse(await changeRole(sql, by, params, body.role));
    return showMember(sql, context, params);
  });

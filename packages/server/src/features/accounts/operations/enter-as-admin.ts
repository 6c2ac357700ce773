import { mayManageRole, notFound } from '@proofmark/domain';
import type { ActingPerson } from '../../../platform/accounts/members.ts';
import { findRole } from '../../../platform/accounts/store/members.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { type ActionContext, refuse } from '../../../platform/operations/action.ts';
import { changeMember } from '../../../platform/operations/change-member.ts';

export async function asAdmin<Result>(
  context: ActionContext,
  organizationId: string,
  work: (sql: Sql, by: ActingPerson) => Promise<Result>,
): Promise<Result> {
  return changeMember(context, organizationId, async (sql, by) => {
    const role = await findRole(sql, organizationId, context.caller.account.id);
    if (role === undefined) refuse(notFound);
    if (!mayManageRole(role, 'member')) {
      refuse({
        code: 'FORBIDDEN',
        message: 'Only owners and admins of the organization may do this.',
      });
    }
    return work(sql, by);
  });
}

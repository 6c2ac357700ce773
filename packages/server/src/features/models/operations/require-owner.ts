/**
 * Only owners may change model providers, because these cost the organization money and contain its
 * keys.
 */
import { mayManageRole, notFound } from '@proofmark/domain';
import { findRole } from '../../../platform/accounts/store/members.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { type ActionContext, refuse } from '../../../platform/operations/action.ts';
import { changeMember } from '../../../platform/operations/change-member.ts';

export async function requireOwner<Result>(
  context: ActionContext,
  organizationId: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return changeMember(context, organizationId, async (sql) => {
    const role = await findRole(sql, organizationId, context.caller.account.id);
    if (role === undefined) refuse(notFound);
    if (!mayManageRole(role, 'owner')) {
      refuse({ code: 'FORBIDDEN', message: 'Only owners of the organization may do this.' });
    }
    return work(sql);
  });
}

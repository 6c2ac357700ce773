/** What costs the organization money and holds its keys is for its owners. */
import { mayManageRole, notFound } from '@proofmark/domain';
import { findRole } from '../../storage/accounts/members.ts';
import type { Sql } from '../../storage/database/database.ts';
import { type ActionContext, refuse } from '../action.ts';
import { inOwnOrganization } from '../members/in-own-organization.ts';

export async function asOwner<Result>(
  context: ActionContext,
  organizationId: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return inOwnOrganization(context, organizationId, async (sql) => {
    const role = await findRole(sql, organizationId, context.caller.account.id);
    if (role === undefined) refuse(notFound);
    if (!mayManageRole(role, 'owner')) {
      refuse({ code: 'FORBIDDEN', message: 'This is for owners of the organization.' });
    }
    return work(sql);
  });
}

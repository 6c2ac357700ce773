/** Lists of an organization that are for its owners and admins. */
import { mayManageRole, notFound } from '@proofmark/domain';
import type { ActingPerson } from '../../accounts/members.ts';
import { findRole } from '../../storage/accounts/members.ts';
import type { Sql } from '../../storage/database/database.ts';
import { type ActionContext, refuse } from '../action.ts';
import { inOwnOrganization } from './in-own-organization.ts';

export async function asAdmin<Result>(
  context: ActionContext,
  organizationId: string,
  work: (sql: Sql, by: ActingPerson) => Promise<Result>,
): Promise<Result> {
  return inOwnOrganization(context, organizationId, async (sql, by) => {
    const role = await findRole(sql, organizationId, context.caller.account.id);
    if (role === undefined) refuse(notFound);
    if (!mayManageRole(role, 'member')) {
      refuse({
        code: 'FORBIDDEN',
        message: 'This is for owners and admins of the organization.',
      });
    }
    return work(sql, by);
  });
}

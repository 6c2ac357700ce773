/**
 * Changes the whole account of a member. Lock order: the account first, then its organization. So
 * the caller's rights over the member are first checked without a lock, and checked again under the
 * lock.
 */
import { mayManageRole } from '@proofmark/domain';
import type { ActingPerson, MemberTarget } from '../../../platform/accounts/members.ts';
import { findRole } from '../../../platform/accounts/store/members.ts';
import type { Sql } from '../../../platform/database/database.ts';
import type { ActionContext } from '../../../platform/operations/action.ts';
import { changeMember } from '../../../platform/operations/change-member.ts';
import { orRefuse } from './refuse-problem.ts';

export async function actOnAccount<Done, Shown>(
  context: ActionContext,
  { organizationId, accountId }: MemberTarget,
  work: (sql: Sql, by: ActingPerson) => Promise<Done>,
  show: (sql: Sql, done: Exclude<Done, { problem: string }>) => Promise<Shown>,
): Promise<Shown> {
  return changeMember(context, organizationId, async (sql, by) => {
    const own = await findRole(sql, organizationId, context.caller.account.id);
    if (own === undefined) return orRefuse({ problem: 'outside' });
    if (!mayManageRole(own, 'member')) return orRefuse({ problem: 'forbidden' });
    const theirs = await findRole(sql, organizationId, accountId);
    if (theirs === undefined) return orRefuse({ problem: 'notAMember' });
    if (!mayManageRole(own, theirs)) return orRefuse({ problem: 'forbidden' });
    return show(sql, orRefuse(await work(sql, by)));
  });
}

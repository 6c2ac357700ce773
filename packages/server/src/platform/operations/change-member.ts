import type { OutputOf } from '@proofmark/contract';
import { notFound } from '@proofmark/domain';
import type { ActingPerson, MemberTarget } from '../accounts/members.ts';
import { findMember } from '../accounts/store/members.ts';
import type { Sql } from '../database/database.ts';
import { type ActionContext, refuse } from './action.ts';
import { presentMember } from './present-member.ts';
import { actorOf } from './record-audit.ts';

/**
 * Runs the work if the caller belongs to the organization; otherwise answers "not found". The
 * caller's role must be checked by `work`.
 */
export async function changeMember<Result>(
  context: ActionContext,
  organizationId: string,
  work: (sql: Sql, by: ActingPerson) => Promise<Result>,
): Promise<Result> {
  const { caller } = context;
  if (!caller.organizationIds.includes(organizationId)) refuse(notFound);
  const by = { actor: actorOf(caller), callerId: caller.account.id };
  return context.tenant((sql) => work(sql, by));
}

export async function showMember(
  sql: Sql,
  { caller }: ActionContext,
  { organizationId, accountId }: MemberTarget,
): Promise<OutputOf<'updateMember'>> {
  const member = await findMember(sql, organizationId, accountId);
  return presentMember(member ?? refuse(notFound), caller.account.id);
}

/**
 * Changes to members and their accounts, made by the operator or by owners and admins. Each change
 * locks the affected members, applies the rules, and writes the result with its audit line in the
 * caller's transaction.
 */
import {
  type AuditAction,
  type AuditDetails,
  isRise,
  losesLastOwner,
  type MemberStanding,
  mayManageAccount,
  mayManageRole,
  type OrganizationRole,
  resetLinkLifetimeMs,
} from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { createSignInLink, type SignInLink } from './sessions.ts';
import { endSignIns } from './store/accounts.ts';
import { type AuditActor, insertAccountLine, insertAuditLine } from './store/audit-log.ts';
import {
  deleteMembership,
  dropPassword,
  lockAccount,
  lockMembers,
  markDisabled,
  markEnabled,
  saveRole,
} from './store/members.ts';
import { endUnprovenIn, markUnproven, proveAddress } from './store/unproven.ts';

/**
 * The person who makes a change. The operator (`callerId` null) may act on every member; the role
 * of any other caller decides which members the caller may change.
 */
export interface ActingPerson {
  readonly actor: AuditActor;
  readonly callerId: string | null;
}

export interface MemberTarget {
  readonly organizationId: string;
  readonly accountId: string;
}

/**
 * The reason to reject a change. `outside`: the caller does not belong to the organization.
 * `elsewhere`: the account also belongs to another organization.
 */
export type MemberProblem =
  | 'outside'
  | 'forbidden'
  | 'notAMember'
  | 'lastOwner'
  | 'elsewhere'
  | 'disabledByOperator'
  | 'disabled';

export interface Problem {
  readonly problem: MemberProblem;
}

export async function changeRole(
  sql: Sql,
  by: ActingPerson,
  target: MemberTarget,
  role: OrganizationRole,
): Promise<Problem | { readonly formerRole: OrganizationRole }> {
  // Locks are always taken in this order: first the account, then organizations.
  await lockAccount(sql, target.accountId, by.callerId);
  const found = await lockTarget(sql, by, target);
  if ('problem' in found) return found;
  const { members, member, own } = found;
  if (own !== undefined && !mayManageRole(own, role)) return { problem: 'forbidden' };
  if (losesLastOwner(members, target.accountId, { role })) return { problem: 'lastOwner' };
  if (member.role !== role) {
    if (isRise(member.role, role)) await endWhatOthersHold(sql, by, target);
    await saveRole(sql, target.organizationId, target.accountId, role);
    await record(sql, by, target, 'member.roleChanged', { formerRole: member.role, role });
  }
  return { formerRole: member.role };
}

/**
 * Ends all access that other people may have to the account. A change by the operator also marks
 * the account's address as proven.
 */
async function endWhatOthersHold(
  sql: Sql,
  { actor, callerId }: ActingPerson,
  { organizationId, accountId }: MemberTarget,
): Promise<void> {
  if (callerId === null) await proveAddress(sql, accountId, actor);
  else await endUnprovenIn(sql, organizationId, accountId, actor);
}

export async function endMembership(
  sql: Sql,
  by: ActingPerson,
  target: MemberTarget,
): Promise<Problem | { readonly revokedKeys: readonly string[] }> {
  const found = await lockTarget(sql, by, target);
  if ('problem' in found) return found;
  const { organizationId, accountId } = target;
  if (losesLastOwner(found.members, accountId, 'removed')) return { problem: 'lastOwner' };
  const revokedKeys = await deleteMembership(sql, organizationId, accountId);
  for (const keyId of revokedKeys) await recordKey(sql, by, organizationId, keyId);
  await record(sql, by, target, 'member.removed', { formerRole: found.member.role });
  return { revokedKeys };
}

/**
 * Locks the caller and the member against changes, then checks that the caller may act on this
 * member.
 */
export async function lockTarget(
  sql: Sql,
  { callerId }: ActingPerson,
  { organizationId, accountId }: MemberTarget,
): Promise<
  | Problem
  | {
      readonly members: readonly MemberStanding[];
      readonly member: MemberStanding;
      /** The role of the caller; undefined for the operator, since the operator needs no role. */
      readonly own: OrganizationRole | undefined;
    }
> {
  const concerned = callerId === null ? [accountId] : [accountId, callerId];
  const members = await lockMembers(sql, organizationId, concerned);
  const own = members.find((member) => member.accountId === callerId)?.role;
  if (callerId !== null && own === undefined) return { problem: 'outside' };
  if (own === 'member') return { problem: 'forbidden' };
  const member = members.find((one) => one.accountId === accountId);
  if (member === undefined) return { problem: 'notAMember' };
  if (own !== undefined && !mayManageRole(own, member.role)) return { problem: 'forbidden' };
  return { members, member, own };
}

export async function disableAccount(
  sql: Sql,
  by: ActingPerson,
  accountId: string,
): Promise<Problem | { readonly disabled: boolean }> {
  const { memberships, disabledBy } = await lockAccount(sql, accountId, by.callerId);
  if (by.callerId !== null && !mayManageAccount(memberships)) return { problem: 'elsewhere' };
  for (const { organizationId } of memberships) {
    const members = await lockMembers(sql, organizationId, [accountId]);
    if (losesLastOwner(members, accountId, 'disabled')) return { problem: 'lastOwner' };
  }
  // An account that the operator disabled stays marked `operator`, even if an admin disables it
  // again.
  const kind = by.callerId === null || disabledBy === 'operator' ? 'operator' : 'admin';
  await markDisabled(sql, accountId, kind);
  if (disabledBy === null) await insertAccountLine(sql, accountId, by.actor, 'account.disabled');
  return { disabled: true };
}

export async function enableAccount(
  sql: Sql,
  by: ActingPerson,
  accountId: string,
): Promise<Problem | { readonly disabled: boolean }> {
  const { memberships, disabledBy } = await lockAccount(sql, accountId, by.callerId);
  if (by.callerId !== null) {
    if (!mayManageAccount(memberships)) return { problem: 'elsewhere' };
    if (disabledBy === 'operator') return { problem: 'disabledByOperator' };
  }
  await markEnabled(sql, accountId);
  if (disabledBy !== null) await insertAccountLine(sql, accountId, by.actor, 'account.enabled');
  return { disabled: false };
}

export async function endSessions(
  sql: Sql,
  by: ActingPerson,
  accountId: string,
): Promise<Problem | { readonly endedSessions: number }> {
  const { memberships } = await lockAccount(sql, accountId, by.callerId);
  if (by.callerId !== null && !mayManageAccount(memberships)) return { problem: 'elsewhere' };
  const endedSessions = await endSignIns(sql, accountId);
  await insertAccountLine(sql, accountId, by.actor, 'account.sessionsEnded');
  return { endedSessions };
}

/**
 * The old password ends now and not when the link is used, because a stolen password may be the
 * reason for the reset. An owner or admin could use the link themselves, so the account then counts
 * as unproven; the operator is trusted not to.
 */
export async function resetPassword(
  sql: Sql,
  by: ActingPerson,
  accountId: string,
): Promise<Problem | SignInLink> {
  const { memberships } = await lockAccount(sql, accountId, by.callerId);
  if (by.callerId !== null && !mayManageAccount(memberships)) return { problem: 'elsewhere' };
  if (by.callerId === null) await proveAddress(sql, accountId, by.actor);
  else if (by.callerId !== accountId) await markUnproven(sql, accountId);
  await dropPassword(sql, accountId);
  await insertAccountLine(sql, accountId, by.actor, 'account.passwordReset');
  const link = await createSignInLink(sql, accountId, by.actor, resetLinkLifetimeMs);
  return link ?? { problem: 'disabled' };
}

async function record(
  sql: Sql,
  { actor }: ActingPerson,
  { organizationId, accountId }: MemberTarget,
  action: AuditAction,
  details: AuditDetails,
): Promise<void> {
  const where = { organizationId, projectId: null, subjectId: accountId };
  await insertAuditLine(sql, { ...actor, ...where, action, details });
}

async function recordKey(
  sql: Sql,
  { actor }: ActingPerson,
  organizationId: string,
  keyId: string,
): Promise<void> {
  const where = { organizationId, projectId: null, subjectId: keyId };
  await insertAuditLine(sql, { ...actor, ...where, action: 'apiKey.revoked', details: null });
}

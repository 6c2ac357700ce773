/**
 * Who may do what with whom. Inside an organization nobody acts on a role above their own, nor gives one. What
 * concerns the account as a whole (its sessions, its password, whether it may sign in) concerns every organization
 * it belongs to, so it needs that standing in all of them: else an admin of one could reset the password of somebody
 * they invited and read what another organization holds. What they could leave behind in an account that is theirs alone
 * ends when the account joins another or rises in theirs. An organization always keeps an owner who can sign in.
 */
import { type OrganizationRole, organizationRoles } from './roles.ts';

/** Whether a member of one role may look after members of another; a plain member looks after nobody. */
export function mayManageRole(own: OrganizationRole, other: OrganizationRole): boolean {
  return own !== 'member' && organizationRoles.indexOf(own) <= organizationRoles.indexOf(other);
}

/** Whether a role is above the one before. */
export function isRise(former: OrganizationRole, role: OrganizationRole): boolean {
  return organizationRoles.indexOf(role) < organizationRoles.indexOf(former);
}

/** `memberships` are all of the account, each with the role of the caller there, if they have one. */
export function mayManageAccount(
  memberships: readonly {
    readonly role: OrganizationRole;
    readonly callerRole: OrganizationRole | null;
  }[],
): boolean {
  return memberships.every(
    ({ role, callerRole }) => callerRole !== null && mayManageRole(callerRole, role),
  );
}

export interface MemberStanding {
  readonly accountId: string;
  readonly role: OrganizationRole;
  readonly isDisabled: boolean;
}

/** What is to become of one member. */
export type MemberChange = 'removed' | 'disabled' | { readonly role: OrganizationRole };

/** An organization that has no owner who can sign in already is not held up by this. */
export function losesLastOwner(
  members: readonly MemberStanding[],
  accountId: string,
  change: MemberChange,
): boolean {
  const after = members.flatMap((member) =>
    member.accountId === accountId ? changed(member, change) : [member],
  );
  return members.some(isOwnerWhoCanSignIn) && !after.some(isOwnerWhoCanSignIn);
}

function changed(member: MemberStanding, change: MemberChange): MemberStanding[] {
  if (change === 'removed') return [];
  return [change === 'disabled' ? { ...member, isDisabled: true } : { ...member, ...change }];
}

function isOwnerWhoCanSignIn({ role, isDisabled }: MemberStanding): boolean {
  return role === 'owner' && !isDisabled;
}

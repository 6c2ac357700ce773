/**
 * Rights of members over each other. Inside an organization, nobody changes or assigns a role above
 * their own.
 *
 * Managing a whole account (its sessions, password or sign-in) requires the right in every
 * organization of the account. Otherwise an admin of one organization could reset an invited
 * person's password and read another organization's data.
 *
 * An admin could also have left credentials in an account of their own organization. These
 * credentials end when the account joins another organization or gets a higher role.
 */
import { type OrganizationRole, organizationRoles } from './roles.ts';

/**
 * Whether a member with the role `own` may manage a member with the role `other`. A plain member
 * manages nobody.
 */
export function mayManageRole(own: OrganizationRole, other: OrganizationRole): boolean {
  return own !== 'member' && organizationRoles.indexOf(own) <= organizationRoles.indexOf(other);
}

export function isRise(former: OrganizationRole, role: OrganizationRole): boolean {
  return organizationRoles.indexOf(role) < organizationRoles.indexOf(former);
}

/**
 * Whether the caller may manage the whole account. `memberships` contains every organization of the
 * account. `callerRole` is null if the caller does not belong to that organization.
 */
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

export type MemberChange = 'removed' | 'disabled' | { readonly role: OrganizationRole };

/**
 * Whether a change removes the last owner who can sign in. False if the organization had no such
 * owner before the change.
 */
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

/**
 * The rights of members over each other. Inside an organization, nobody changes or assigns a role
 * above their own. An action on the account as a whole (its sessions, its password, its right to
 * sign in) concerns every organization of the account, so the caller needs that right in all of
 * them. Otherwise an admin of one organization could reset the password of an invited person and
 * read the data of another. Credentials that such an admin could have left in an account of only
 * that organization end when the account joins another one or gets a higher role there. An
 * organization always keeps an owner who can sign in.
 */
import { type OrganizationRole, organizationRoles } from './roles.ts';

/**
 * Whether a member of the first role may manage members of the second; a plain member manages
 * nobody.
 */
export function mayManageRole(own: OrganizationRole, other: OrganizationRole): boolean {
  return own !== 'member' && organizationRoles.indexOf(own) <= organizationRoles.indexOf(other);
}

/** Whether the new role is above the former one. */
export function isRise(former: OrganizationRole, role: OrganizationRole): boolean {
  return organizationRoles.indexOf(role) < organizationRoles.indexOf(former);
}

/**
 * `memberships` holds all memberships of the account, each with the caller's role in that
 * organization, if there is one.
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

/** The change of one member. */
export type MemberChange = 'removed' | 'disabled' | { readonly role: OrganizationRole };

/**
 * Whether a change removes the last owner who can sign in. An organization that already has none is
 * not blocked.
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

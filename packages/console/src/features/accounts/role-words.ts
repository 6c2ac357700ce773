import { mayManageRole, type OrganizationRole, organizationRoles } from '@proofmark/domain';

export const organizationRoleWords: Readonly<Record<OrganizationRole, string>> = {
  owner: 'owner',
  admin: 'admin',
  member: 'member',
};

export const organizationRoleHints: Readonly<Record<OrganizationRole, string>> = {
  owner: 'Does everything, and names owners.',
  admin: 'Does everything in every project, and looks after admins and members.',
  member: 'Uses projects that are open to the organization, and those they were given a tier in.',
};

export function rolesToGive(own: OrganizationRole): readonly OrganizationRole[] {
  return organizationRoles.filter((role) => mayManageRole(own, role));
}

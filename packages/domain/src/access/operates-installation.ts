/**
 * Whether somebody may see what concerns the installation as a whole. It belongs to who runs it: the owners and admins of
 * the first organization, which the installation begins with. Those of others are its guests.
 */
import type { OrganizationRole } from './roles.ts';

export function operatesInstallation(roleInFirst: OrganizationRole | undefined): boolean {
  return roleInFirst === 'owner' || roleInFirst === 'admin';
}

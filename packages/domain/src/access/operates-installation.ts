/**
 * Whether an account may see the health of the whole installation. Only owners and admins of the
 * first organization may; the other organizations are only guests.
 */
import type { OrganizationRole } from './roles.ts';

export function operatesInstallation(roleInFirst: OrganizationRole | undefined): boolean {
  return roleInFirst === 'owner' || roleInFirst === 'admin';
}

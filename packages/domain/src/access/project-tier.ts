/**
 * Returns a person's tier in a project. Owners and admins of the organization are project admins.
 * Other people have the tier that the project granted them. A public project grants `member` to
 * everyone in its organization; a private project grants nothing by default.
 */
import {
  type OrganizationRole,
  type ProjectTier,
  type ProjectVisibility,
  projectTiers,
} from './roles.ts';

export function projectTier(standing: {
  readonly organizationRole: OrganizationRole;
  readonly visibility: ProjectVisibility;
  readonly grantedTier: ProjectTier | null;
}): ProjectTier | undefined {
  if (standing.organizationRole !== 'member') return 'admin';
  if (standing.grantedTier !== null) return standing.grantedTier;
  return standing.visibility === 'public' ? 'member' : undefined;
}

export function tierAllows(held: ProjectTier | undefined, needed: ProjectTier): boolean {
  return held !== undefined && projectTiers.indexOf(held) >= projectTiers.indexOf(needed);
}

export const organizationRoles = ['owner', 'admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/**
 * Tiers in ascending order of rights: `member` reads and runs, `manage` also waives gates and edits
 * servers, `admin` does everything.
 */
export const projectTiers = ['member', 'manage', 'admin'] as const;
export type ProjectTier = (typeof projectTiers)[number];

export const projectVisibilities = ['public', 'private'] as const;
export type ProjectVisibility = (typeof projectVisibilities)[number];

export const organizationFeatures = ['swarms', 'user-testing'] as const;
export type OrganizationFeature = (typeof organizationFeatures)[number];

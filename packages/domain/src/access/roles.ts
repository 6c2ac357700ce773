/** Who a person is in an organization, and what they may do in one of its projects. */
export const organizationRoles = ['owner', 'admin', 'member'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** From least to most: `member` reads and runs, `manage` waives and edits servers, `admin` does all. */
export const projectTiers = ['member', 'manage', 'admin'] as const;
export type ProjectTier = (typeof projectTiers)[number];

export const projectVisibilities = ['public', 'private'] as const;
export type ProjectVisibility = (typeof projectVisibilities)[number];

export const organizationFeatures = ['swarms', 'user-testing'] as const;
export type OrganizationFeature = (typeof organizationFeatures)[number];

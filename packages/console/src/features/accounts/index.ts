export { readAuditSearch } from './audit-search.ts';
export { useOrganizationName } from './data/organizations.ts';
export { useConsoleSession } from './data/session.ts';
export { OrganizationField } from './organization-field.tsx';
export { OrganizationFrame } from './organization-frame.tsx';
export { PasswordOffer } from './password-offer.tsx';
export { SettingsSections } from './settings-sections.tsx';
export { keepSignInToken } from './sign-in-token.ts';

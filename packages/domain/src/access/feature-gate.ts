/**
 * The refusal of a write that uses a feature turned off for the organization. It comes before any
 * other check of the input.
 */
import type { Refusal } from '../kernel/refusal.ts';
import type { OrganizationFeature } from './roles.ts';

export const featureWords: Readonly<Record<OrganizationFeature, string>> = {
  swarms: 'Swarms',
  'user-testing': 'User testing',
};

export function featureIsOff(feature: OrganizationFeature): Refusal {
  return {
    code: 'FORBIDDEN',
    message: `${featureWords[feature]} is off for this organization; the operator can switch it on with "proofmark admin set-feature".`,
    details: { reason: 'FEATURE_UNAVAILABLE', feature },
  };
}

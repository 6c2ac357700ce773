/** Writes of a family that an operator switches on for an organization. Who tries one hears that first, whatever was sent. */
import type { Refusal } from '../kernel/refusal.ts';
import type { OrganizationFeature } from './roles.ts';

export const featureWords: Readonly<Record<OrganizationFeature, string>> = {
  swarms: 'Swarms',
  'user-testing': 'User testing',
};

export function featureIsOff(feature: OrganizationFeature): Refusal {
  return {
    code: 'FORBIDDEN',
    message: `${featureWords[feature]} is off for this organization; the operator switches it on with "proofmark admin set-feature".`,
    details: { reason: 'FEATURE_UNAVAILABLE', feature },
  };
}

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
    message: `${featureWords[feature]} is not switched on for this organization; the operator does that with "proofmark admin set-feature".`,
    details: { reason: 'FEATURE_UNAVAILABLE', feature },
  };
}

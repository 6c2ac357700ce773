/**
 * Admission to a scenario, by a share link and for every later call. Both use the same rule on data
 * from one database statement. Only the first obstacle is reported.
 */
import { featureIsOff } from '../access/feature-gate.ts';
import { notFound, type Refusal } from '../kernel/refusal.ts';
import type { ScenarioMode } from './scenario.ts';

export interface AdmissionFacts {
  readonly isPublished: boolean;
  readonly isFeatureOn: boolean;
  readonly mode: ScenarioMode;
  readonly accessVersion: number;
  readonly isProjectMember: boolean;
  readonly isInvited: boolean;
  readonly hasGrant: boolean;
}

/** Only visitors admitted as `anyone` are anonymous. */
export type AdmittedAs = 'projectMember' | 'invited' | 'anyone';

export type Admission = { readonly as: AdmittedAs } | { readonly refusal: Refusal };

/** Returns undefined if the scenario's mode does not admit the visitor. */
export function admittedBy({
  mode,
  isProjectMember,
  isInvited,
}: Pick<AdmissionFacts, 'mode' | 'isProjectMember' | 'isInvited'>): AdmittedAs | undefined {
  if (isProjectMember) return 'projectMember';
  if (isInvited && mode !== 'project_members') return 'invited';
  return mode === 'anyone_with_link' ? 'anyone' : undefined;
}

/**
 * Admits a visitor by the link or by an earlier visitor grant. A renewal without a grant reveals
 * nothing about the scenario.
 */
export function admitByLink(facts: AdmissionFacts, by: 'link' | 'grant'): Admission {
  if (!facts.isPublished) return { refusal: notFound };
  if (by === 'grant' && !facts.hasGrant) return { refusal: accessDenied };
  if (!facts.isFeatureOn) return { refusal: closedForNow };
  const as = admittedBy(facts);
  return as === undefined ? { refusal: accessDenied } : { as };
}

/**
 * Admits calls during a visit. Some calls state the access version of their admission, and are
 * refused if it has changed since.
 */
export function admitToCall(facts: AdmissionFacts, accessVersion?: number): Admission {
  if (!facts.isPublished) return { refusal: accessDenied };
  if (!facts.isFeatureOn) return { refusal: closedForNow };
  if (accessVersion !== undefined && accessVersion !== facts.accessVersion) {
    return { refusal: accessStale };
  }
  const as = admittedBy(facts);
  if (as === undefined || !facts.hasGrant) return { refusal: accessDenied };
  return { as };
}

/**
 * Whether a visitor's message may still be stored. The access version is not compared, since it may
 * have grown because of other visitors.
 */
export function mayBeStored(facts: AdmissionFacts): boolean {
  return facts.isPublished && facts.hasGrant && admittedBy(facts) !== undefined;
}

export const accessDenied: Refusal = {
  code: 'FORBIDDEN',
  message: 'This link does not let you in; sign in, ask for an invitation, or open the link again.',
  details: { reason: 'SCENARIO_ACCESS_DENIED' },
};

export const accessStale: Refusal = {
  code: 'CONFLICT',
  message: 'The access to this link has changed; open the link again.',
  details: { reason: 'SCENARIO_ACCESS_STALE' },
};

const { code, details } = featureIsOff('user-testing');
const closedForNow: Refusal = {
  code,
  message: 'This link is closed for now.',
  ...(details && { details }),
};

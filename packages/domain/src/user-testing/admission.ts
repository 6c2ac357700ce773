/**
 * Admission by a share link, and of later calls. One rule serves the opening of the link and every
 * call after it, over the facts of one database statement; the first obstacle is reported.
 */
import { featureIsOff } from '../access/feature-gate.ts';
import { notFound, type Refusal } from '../kernel/refusal.ts';
import type { ScenarioMode } from './scenario.ts';

/** The relation of a person or browser to a scenario at one moment. */
export interface AdmissionFacts {
  readonly isPublished: boolean;
  readonly isFeatureOn: boolean;
  readonly mode: ScenarioMode;
  readonly accessVersion: number;
  readonly isProjectMember: boolean;
  readonly isInvited: boolean;
  /** Whether there is a visitor grant that was not revoked. */
  readonly hasGrant: boolean;
}

/** The ground of an admission. Only `anyone` is anonymous. */
export type AdmittedAs = 'projectMember' | 'invited' | 'anyone';

export type Admission = { readonly as: AdmittedAs } | { readonly refusal: Refusal };

/** Returns undefined if the mode does not admit them. */
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
 * Admits by the link or by an earlier visitor grant. A renewal without a grant learns nothing about
 * the scenario.
 */
export function admitByLink(facts: AdmissionFacts, by: 'link' | 'grant'): Admission {
  if (!facts.isPublished) return { refusal: notFound };
  if (by === 'grant' && !facts.hasGrant) return { refusal: accessDenied };
  if (!facts.isFeatureOn) return { refusal: closedForNow };
  const as = admittedBy(facts);
  return as === undefined ? { refusal: accessDenied } : { as };
}

/** Admits calls during a visit. Some calls state the access version that they were given. */
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
 * Whether a visitor's message may still be stored. A newer access version because of other visitors
 * does not matter.
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

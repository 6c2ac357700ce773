/**
 * Admission of a visitor to a scenario (a published environment), when the share link is opened and
 * before every later call. Both apply the same rule to data from one database statement. Only the
 * first obstacle is reported.
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
 * Admits a visitor by the share link or by an earlier visitor grant (a stored admission). Without
 * the grant, the refusal reveals nothing about the scenario's mode.
 */
export function admitByLink(facts: AdmissionFacts, by: 'link' | 'grant'): Admission {
  if (!facts.isPublished) return { refusal: notFound };
  if (by === 'grant' && !facts.hasGrant) return { refusal: accessDenied };
  if (!facts.isFeatureOn) return { refusal: closedForNow };
  const as = admittedBy(facts);
  return as === undefined ? { refusal: accessDenied } : { as };
}

/**
 * Admits calls during a visit. If a call sends the access version of its admission and the version
 * has changed since, the call is refused.
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
 * Whether a visitor's message may still be stored. The access version is not compared, since
 * another visitor's loss of access also increases it.
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

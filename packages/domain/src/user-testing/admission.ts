/**
 * Who gets in by a share link, and who may go on. One rule for opening the link and for every call after it, over what one
 * statement read: the first thing that stands in the way is told.
 */
import { featureIsOff } from '../access/feature-gate.ts';
import { notFound, type Refusal } from '../kernel/refusal.ts';
import type { ScenarioMode } from './scenario.ts';

/** How somebody stands to a scenario at one moment. */
export interface AdmissionFacts {
  readonly isPublished: boolean;
  readonly isFeatureOn: boolean;
  readonly mode: ScenarioMode;
  readonly accessVersion: number;
  readonly isProjectMember: boolean;
  readonly isInvited: boolean;
  /** A grant of theirs that was not revoked. */
  readonly hasGrant: boolean;
}

/** In what quality somebody is admitted. Only `anyone` is anonymous. */
export type AdmittedAs = 'projectMember' | 'invited' | 'anyone';

export type Admission = { readonly as: AdmittedAs } | { readonly refusal: Refusal };

/** Nothing where the mode does not let them in. */
export function admittedBy({
  mode,
  isProjectMember,
  isInvited,
}: Pick<AdmissionFacts, 'mode' | 'isProjectMember' | 'isInvited'>): AdmittedAs | undefined {
  if (isProjectMember) return 'projectMember';
  if (isInvited && mode !== 'project_members') return 'invited';
  return mode === 'anyone_with_link' ? 'anyone' : undefined;
}

/** With the link, or by a grant from before: who renews without one learns nothing of the scenario. */
export function admitByLink(facts: AdmissionFacts, by: 'link' | 'grant'): Admission {
  if (!facts.isPublished) return { refusal: notFound };
  if (by === 'grant' && !facts.hasGrant) return { refusal: accessDenied };
  if (!facts.isFeatureOn) return { refusal: closedForNow };
  const as = admittedBy(facts);
  return as === undefined ? { refusal: accessDenied } : { as };
}

/** For what is done in a visit. Some calls say which version of the access they were given. */
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

/** Whether what somebody said may still be kept. A newer version, made for the sake of others, does not touch them. */
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

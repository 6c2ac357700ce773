import type { Refusal } from '../kernel/refusal.ts';
import { plainSlug } from '../swarms/persona-slug.ts';
import type { GuestExecution } from './guest-execution.ts';

/**
 * Access modes, from the mode that admits the fewest people to the one that admits the most. Every
 * mode admits members of the project.
 */
export const scenarioModes = ['project_members', 'invited_only', 'anyone_with_link'] as const;
export type ScenarioMode = (typeof scenarioModes)[number];

/** The scales in which visitors can rate. A thumb counts as 1 or 5. */
export const scenarioFeedbacks = ['off', 'stars', 'thumbs'] as const;
export type ScenarioFeedback = (typeof scenarioFeedbacks)[number];

export interface SavedScenario {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly environmentId: string;
  readonly name: string;
  readonly description: string | null;
  readonly mode: ScenarioMode;
  /** Visitors admitted under an older access version must be admitted again. */
  readonly accessVersion: number;
  readonly feedback: ScenarioFeedback;
  readonly welcome: string | null;
  /** Null if the limits for visitors without an account were never set. */
  readonly guestExecution: GuestExecution | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly unpublishedAt: Date | null;
}

export interface SavedScenarioMember {
  readonly id: string;
  readonly scenarioId: string;
  /** The address in lower case. */
  readonly email: string;
  readonly role: 'chat';
  /**
   * The proven owner of the address: an account that signed in with the address, or a browser that
   * opened the one-time link (`visitorId`).
   */
  readonly accountId: string | null;
  readonly visitorId: string | null;
  readonly invitedBy: string | null;
  readonly invitedAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

/**
 * A visitor grant: the right of one browser or account to talk in a scenario, from its first
 * admission until it is revoked.
 */
export interface SavedScenarioGrant {
  readonly id: string;
  readonly scenarioId: string;
  readonly visitorId: string | null;
  readonly accountId: string | null;
  readonly memberId: string | null;
  readonly grantedAt: Date;
  readonly revokedAt: Date | null;
  readonly consentVersion: string | null;
  readonly consentedAt: Date | null;
}

/**
 * Returns the effect of a new mode. After `tightens`, visitors must be admitted again; `widens`
 * requires the right to publish.
 */
export function effectOfModeChange(
  from: ScenarioMode,
  to: ScenarioMode,
): 'none' | 'widens' | 'tightens' {
  const change = scenarioModes.indexOf(to) - scenarioModes.indexOf(from);
  if (change === 0) return 'none';
  return change > 0 ? 'widens' : 'tightens';
}

/** The name in the path is only for people to read and is never checked. */
export function scenarioLinkPath(name: string, token: string): string {
  return `/user-testing/${scenarioSlug(name)}/${token}`;
}

/**
 * Returns the name in plain ASCII letters, since other letters look broken when a mail shows the
 * link.
 */
function scenarioSlug(name: string): string {
  const words = plainSlug(name, '').split('-');
  const plain = words.filter((word) => /^[a-z0-9]+$/.test(word)).join('-');
  return plain.slice(0, longestSlug).replace(/-$/, '') || 'chat';
}

const longestSlug = 60;

/** Returns undefined if one more scenario may be published. */
export function tooManyScenarios(live: number, allowed: number | null): Refusal | undefined {
  if (allowed === null || live < allowed) return undefined;
  return {
    code: 'FORBIDDEN',
    message: `A project publishes at most ${allowed} environments here; unpublish one first.`,
    details: { limit: 'maxScenariosPerProject', allowedValue: allowed, currentValue: live },
  };
}

/** The lifetime of the link in an invitation, in milliseconds (7 days). */
export const scenarioInviteLifetimeMs = 7 * 24 * 60 * 60 * 1000;

/** A published environment with a link: who may open it, and what changes for those who did. */
import type { Refusal } from '../kernel/refusal.ts';
import { plainSlug } from '../swarms/persona-slug.ts';
import type { GuestExecution } from './guest-execution.ts';

/** From the fewest people to the most. Members of the project are let in by each of them. */
export const scenarioModes = ['project_members', 'invited_only', 'anyone_with_link'] as const;
export type ScenarioMode = (typeof scenarioModes)[number];

/** How visitors may rate; a thumb counts as 1 or 5. */
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
  /** What a visitor was told when they were let in; behind it, they have to ask again. */
  readonly accessVersion: number;
  readonly feedback: ScenarioFeedback;
  readonly welcome: string | null;
  /** Null where nobody has said what visitors without an account may spend. */
  readonly guestExecution: GuestExecution | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly unpublishedAt: Date | null;
}

export interface SavedScenarioMember {
  readonly id: string;
  readonly scenarioId: string;
  /** In lower case. */
  readonly email: string;
  readonly role: 'chat';
  /** Who proved the address: an account that signed in with it, or a browser that opened the one-time link. */
  readonly accountId: string | null;
  readonly visitorId: string | null;
  readonly invitedBy: string | null;
  readonly invitedAt: Date;
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** The right of one browser or account to talk, from its first redemption on. */
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

/** Only tightening makes visitors ask again; only widening needs the tier that publishing needs. */
export function effectOfModeChange(
  from: ScenarioMode,
  to: ScenarioMode,
): 'none' | 'widens' | 'tightens' {
  const change = scenarioModes.indexOf(to) - scenarioModes.indexOf(from);
  if (change === 0) return 'none';
  return change > 0 ? 'widens' : 'tightens';
}

/** Where the link leads. The name in it is for people to read; nobody checks it. */
export function scenarioLinkPath(name: string, token: string): string {
  return `/user-testing/${scenarioSlug(name)}/${token}`;
}

/** Of plain letters alone: other ones look broken in a link that travels by mail. */
function scenarioSlug(name: string): string {
  const words = plainSlug(name, '').split('-');
  const plain = words.filter((word) => /^[a-z0-9]+$/.test(word)).join('-');
  return plain.slice(0, longestSlug).replace(/-$/, '') || 'chat';
}

const longestSlug = 60;

/** Nothing where one more may be published. */
export function tooManyScenarios(live: number, allowed: number | null): Refusal | undefined {
  if (allowed === null || live < allowed) return undefined;
  return {
    code: 'FORBIDDEN',
    message: `A project publishes at most ${allowed} environments here; unpublish one first.`,
    details: { limit: 'maxScenariosPerProject', allowedValue: allowed, currentValue: live },
  };
}

/** How long the link of an invitation works. */
export const scenarioInviteLifetimeMs = 7 * 24 * 60 * 60 * 1000;

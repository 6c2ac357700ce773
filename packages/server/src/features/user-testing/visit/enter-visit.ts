import {
  type AdmittedAs,
  admitToCall,
  consentRequired,
  notFound,
  type Refusal,
  visitBounds,
  visitConflicts,
  visitNotice,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import type { VisitorsOwnSession } from '../store/visitor-sessions.ts';
import { readOwnSession, readSessionOfTurn } from '../store/visitor-sessions.ts';
import { organizationOfScenario, readVisit, type Visit, type VisitGrant } from '../store/visits.ts';
import type { VisitContext } from './visit-action.ts';

/**
 * Runs work in a transaction for the scenario's organization. An unknown scenario id is refused
 * like a scenario that never admitted the visitor, so ids cannot be probed.
 */
export async function inScenario<Result>(
  { database }: Pick<VisitContext, 'database'>,
  scenarioId: string,
  work: (sql: Sql) => Promise<Result>,
  unknown: Refusal = notFound,
): Promise<Result> {
  const organizationId = await organizationOfScenario(database, scenarioId);
  if (organizationId === undefined) return refuse(unknown);
  return database.tenant([organizationId], work);
}

export interface EnteredVisit extends Visit {
  readonly as: AdmittedAs;
  readonly grant: VisitGrant;
}

export async function enterVisit(
  sql: Sql,
  { identity }: Pick<VisitContext, 'identity'>,
  scenarioId: string,
  accessVersion?: number,
): Promise<EnteredVisit> {
  const visit = (await readVisit(sql, { scenarioId }, identity)) ?? refuse(notFound);
  const admission = admitToCall(visit.facts, accessVersion);
  if ('refusal' in admission) return refuse(admission.refusal);
  const { grant } = visit;
  if (grant === undefined)
    throw new Error('Internal fault: a visitor was admitted without a visitor grant.');
  return { ...visit, as: admission.as, grant };
}

/**
 * Finds a session of this visitor. A session of another visitor is "not found", before any other
 * check could reveal that it exists.
 */
export async function findOwnSession(
  sql: Sql,
  { identity }: Pick<VisitContext, 'identity'>,
  wanted: { readonly scenarioId: string } & (
    | { readonly sessionId: string }
    | { readonly turnId: string }
  ),
): Promise<VisitorsOwnSession> {
  const found =
    'sessionId' in wanted
      ? await readOwnSession(sql, wanted.scenarioId, wanted.sessionId, identity, visitBounds)
      : await readSessionOfTurn(sql, wanted.scenarioId, wanted.turnId, identity, visitBounds);
  return found ?? refuse(notFound);
}

/**
 * Finds a session to read or erase. For a signed-in visitor, it also finds sessions that this
 * browser started as a guest before the sign-in.
 */
export async function findSessionOfBrowser(
  sql: Sql,
  { identity, guest }: Pick<VisitContext, 'identity' | 'guest'>,
  { scenarioId, sessionId }: { readonly scenarioId: string; readonly sessionId: string },
): Promise<VisitorsOwnSession> {
  for (const owner of guest === undefined ? [identity] : [identity, guest]) {
    const found = await readOwnSession(sql, scenarioId, sessionId, owner, visitBounds);
    if (found !== undefined) return found;
  }
  return refuse(notFound);
}

export function noticeOf({ limits }: Pick<VisitContext, 'limits'>) {
  return visitNotice({ keptDays: limits.visitorRetentionDays });
}

export function requireConsent(
  context: Pick<VisitContext, 'limits'>,
  grant: VisitGrant,
): { readonly consentVersion: string; readonly consentedAt: Date } {
  const { version } = noticeOf(context);
  const { consentVersion, consentedAt } = grant;
  if (consentVersion !== version || consentedAt === null) return refuse(consentRequired);
  return { consentVersion, consentedAt };
}

/** Refuses messages to a session that has ended, is idle, or began under another grant. */
export function refuseEnded(session: VisitorsOwnSession, grant: VisitGrant): void {
  const { status, endedBy, isIdle } = session;
  if (endedBy === 'idle' || (status === 'active' && isIdle)) refuse(visitConflicts.sessionSilent);
  if (status === 'ended' || session.grantId !== grant.id) {
    refuse(visitConflicts.sessionEnded);
  }
}

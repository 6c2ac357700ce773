import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { today } from '../../../platform/spending/store/utc-day.ts';
import { isRealVisit } from './read-visits.ts';
import type { VisitorIdentity } from './visitors.ts';

export interface VisitorsOwnSession {
  readonly id: string;
  readonly scenarioId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly grantId: string;
  readonly status: 'active' | 'ended';
  readonly endedBy: 'visitor' | 'idle' | 'closed' | null;
  readonly isPreview: boolean;
  readonly turnCount: number;
  readonly messageCount: number;
  /** Whether the session has had no message for so long that it counts as ended. */
  readonly isIdle: boolean;
}

/**
 * Returns undefined also if the session exists but belongs to somebody else or to another scenario.
 */
export async function readOwnSession(
  sql: Sql,
  scenarioId: string,
  sessionId: string,
  identity: VisitorIdentity,
  times: SilentTimes,
): Promise<VisitorsOwnSession | undefined> {
  const [row] = await sql<VisitorsOwnSession[]>`
    select ${ownColumns(sql, times)} from visitor_sessions as session
    where id = ${sessionId} and scenario_id = ${scenarioId} and ${ownedBy(sql, identity)}`;
  return row;
}

export async function readSessionOfTurn(
  sql: Sql,
  scenarioId: string,
  turnId: string,
  identity: VisitorIdentity,
  times: SilentTimes,
): Promise<VisitorsOwnSession | undefined> {
  const [row] = await sql<VisitorsOwnSession[]>`
    select ${ownColumns(sql, times)} from visitor_sessions as session
    where id = (select session_id from visitor_turns where id = ${turnId} and scenario_id = ${scenarioId})
      and ${ownedBy(sql, identity)}`;
  return row;
}

interface SilentTimes {
  /** Milliseconds without a message or a running turn after which a session is idle. */
  readonly idleMs: number;
  /** Milliseconds without a heartbeat after which the process that runs a turn counts as dead. */
  readonly silentMs: number;
}

function ownColumns(sql: Sql, { idleMs, silentMs }: SilentTimes): Fragment {
  return sql`id, scenario_id, organization_id, project_id, grant_id, status, ended_by, is_preview, turn_count,
    message_count,
    last_activity_at < now() - ${idleMs} * interval '1 millisecond' and not exists (
      select from visitor_turns as turn
      where turn.session_id = session.id and turn.status in ('running', 'awaitingApproval')
        and beat_at > now() - ${silentMs} * interval '1 millisecond') as is_idle`;
}

function ownedBy(sql: Sql, identity: VisitorIdentity): Fragment {
  return identity.kind === 'account'
    ? sql`session.account_id = ${identity.accountId}`
    : sql`session.visitor_id = ${identity.visitorId}`;
}

export interface NewVisitorSession {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly scenarioId: string;
  readonly grantId: string;
  readonly memberId: string | null;
  readonly identity: VisitorIdentity;
  readonly isPreview: boolean;
  readonly displayName: string;
  readonly visitorHash: string;
  readonly deviceKind: string | null;
  readonly language: string | null;
  readonly consentVersion: string;
  readonly consentedAt: Date;
}

export async function insertVisitorSession(sql: Sql, session: NewVisitorSession): Promise<void> {
  const { identity, scenarioId, visitorHash } = session;
  const [earlier] = await sql`
    select from visitor_sessions
    where scenario_id = ${scenarioId} and visitor_hash = ${visitorHash} and ${isRealVisit(sql)} limit 1`;
  await sql`
    insert into visitor_sessions ${sql({
      id: session.id,
      organization_id: session.organizationId,
      project_id: session.projectId,
      scenario_id: scenarioId,
      grant_id: session.grantId,
      visitor_id: identity.kind === 'guest' ? identity.visitorId : null,
      account_id: identity.kind === 'account' ? identity.accountId : null,
      member_id: session.memberId,
      is_preview: session.isPreview,
      auth_type: identity.kind === 'guest' ? 'guest' : 'signedIn',
      recency: earlier === undefined ? 'new' : 'returning',
      display_name: session.displayName,
      visitor_hash: visitorHash,
      device_kind: session.deviceKind,
      language: session.language,
      consent_version: session.consentVersion,
      consented_at: session.consentedAt,
    })}`;
}

/** Counts the sessions that a visitor started today in UTC, and returns the time of the count. */
export async function countSessionsOfToday(
  sql: Sql,
  scenarioId: string,
  visitorHash: string,
): Promise<{ readonly count: number; readonly now: Date }> {
  // Serializes concurrent session starts of one visitor, so that each counts the sessions of the
  // others.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`visitor ${visitorHash}`}, 0))`;
  const [row] = await sql<{ count: number; now: Date }[]>`
    select count(*)::integer as count, now() as now from visitor_sessions
    where scenario_id = ${scenarioId} and visitor_hash = ${visitorHash}
      and started_at >= ${today(sql)}::timestamp at time zone 'utc'`;
  return row as { count: number; now: Date };
}

/** Does nothing if the session has already ended. */
export async function endSession(
  sql: Sql,
  sessionId: string,
  endedBy: 'visitor' | 'idle' | 'closed',
): Promise<void> {
  await sql`
    update visitor_sessions set status = 'ended', ended_by = ${endedBy}, ended_at = clock_timestamp()
    where id = ${sessionId} and status = 'active'`;
}

export async function closeSessionsWithoutGrant(sql: Sql, scenarioId: string): Promise<void> {
  await sql`
    update visitor_sessions as session
    set status = 'ended', ended_by = 'closed', ended_at = clock_timestamp()
    where scenario_id = ${scenarioId} and status = 'active' and not exists (
      select from scenario_grants where id = session.grant_id and revoked_at is null)`;
}

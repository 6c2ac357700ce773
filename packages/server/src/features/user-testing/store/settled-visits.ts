/**
 * Determines the outcome of ended visitor sessions. It is determined once more if the visitor
 * continues the session.
 */
import {
  type DerivedChain,
  isRecord,
  type SessionEvidence,
  type SessionOutcome,
  spanInTurn,
  type ToolOfSession,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import { readEvidence } from '../../swarms/index.ts';
import { isRealVisit } from './read-visits.ts';

export interface VisitToSettle {
  readonly organizationId: string;
  readonly scenarioId: string;
  readonly sessionId: string;
}

/**
 * Lists, across all organizations, the sessions that have ended or had no message for `settleMs`.
 */
export async function listVisitsToSettle(sql: Sql, settleMs: number): Promise<VisitToSettle[]> {
  return sql`select * from visits_to_settle(${settleMs / 1000})`;
}

export async function listIdleVisits(
  sql: Sql,
  idleMs: number,
): Promise<Pick<VisitToSettle, 'organizationId' | 'sessionId'>[]> {
  return sql`select * from idle_visits(${idleMs / 1000})`;
}

export async function endIdleVisit(sql: Sql, sessionId: string, idleMs: number): Promise<void> {
  await sql`
    update visitor_sessions set status = 'ended', ended_by = 'idle', ended_at = clock_timestamp()
    where id = ${sessionId} and status = 'active'
      and last_activity_at < clock_timestamp() - make_interval(secs => ${idleMs / 1000})`;
}

export interface HeldVisit {
  readonly projectId: string;
  /** Whether the session contains messages of a visitor. False for the owner's previews. */
  readonly isReal: boolean;
  readonly authInterrupted: boolean;
}

/**
 * Locks the session until the transaction ends. Returns undefined if it needs no outcome any more,
 * for example because the visitor has continued it.
 */
export async function holdVisitToSettle(
  sql: Sql,
  sessionId: string,
  settleMs: number,
): Promise<HeldVisit | undefined> {
  const [row] = await sql<HeldVisit[]>`
    select project_id, (${isRealVisit(sql)}) as is_real, auth_interrupted from visitor_sessions
    where id = ${sessionId} and (settled_at is null or settled_at < last_activity_at or settled_at < rated_at)
      and (status = 'ended' or last_activity_at < clock_timestamp() - make_interval(secs => ${settleMs / 1000}))
    for no key update`;
  return row;
}

export interface RecordedVisit {
  readonly turns: readonly SessionEvidence[];
  readonly turnIds: readonly string[];
  /** The spans of all turns. Each span contains the name of its turn. */
  readonly spans: readonly unknown[];
  /** The hash of the tools and schemas that the servers listed in the last recorded turn. */
  readonly toolSurfaceHash: string | null;
  /** Empty unless the caller requested messages. */
  readonly messages: readonly unknown[];
}

/**
 * Unreadable turns are left out. A trace may be megabytes and a session has many, so traces are
 * read one at a time.
 */
export async function readRecordedVisit(
  sql: Sql,
  sessionId: string,
  wanted: 'withMessages' | 'withoutMessages' = 'withoutMessages',
): Promise<RecordedVisit> {
  const ids = await sql<{ id: string }[]>`
    select id from visitor_turns where session_id = ${sessionId} order by ordinal`;
  const turns: SessionEvidence[] = [];
  const turnIds: string[] = [];
  const spans: unknown[] = [];
  const messages: unknown[] = [];
  let toolSurfaceHash: string | null = null;
  for (const { id } of ids) {
    const [row] = await sql<{ evidence: string | null; trace: string | null }[]>`
      select evidence, trace from visitor_turns left join visitor_traces on turn_id = id where id = ${id}`;
    const trace = readRecord(row?.trace ?? null) ?? {};
    const traceMessages = wanted === 'withMessages' ? trace['messages'] : undefined;
    if (Array.isArray(traceMessages)) messages.push(...traceMessages);
    const surface = trace['toolSurface'];
    if (isRecord(surface) && typeof surface['hash'] === 'string') toolSurfaceHash = surface['hash'];
    const evidence = readEvidence(row?.evidence ?? null);
    if (evidence === undefined) continue;
    const recorded = Array.isArray(trace['spans']) ? trace['spans'].filter(isRecord) : [];
    spans.push(...recorded.map((span) => inTurn(span, turns.length)));
    turns.push(evidence);
    turnIds.push(id);
  }
  return { turns, turnIds, spans, messages, toolSurfaceHash };
}

function inTurn(span: Readonly<Record<string, unknown>>, turn: number): object {
  const { id } = span;
  return typeof id === 'string' ? { ...span, id: spanInTurn(turn, id) } : span;
}

/** The summary of a session for metrics and usage, stored in the session's row. */
export interface SessionDigest {
  readonly outcome: SessionOutcome;
  readonly tools: readonly ToolOfSession[];
}

export function readDigest(text: string | null): SessionDigest | undefined {
  const stored = readRecord(text);
  const isWhole = typeof stored?.['outcome'] === 'string' && Array.isArray(stored['tools']);
  return isWhole ? (stored as unknown as SessionDigest) : undefined;
}

/** The caller must hold the lock of the session's row. */
export async function writeSettled(
  sql: Sql,
  sessionId: string,
  summary: (SessionDigest & { readonly chain: DerivedChain | undefined }) | undefined,
): Promise<void> {
  const digest = summary && JSON.stringify({ outcome: summary.outcome, tools: summary.tools });
  await sql`
    update visitor_sessions set settled_at = clock_timestamp(), outcome = ${summary?.outcome ?? null},
      chain = ${summary?.chain === undefined ? null : JSON.stringify(summary.chain)}, digest = ${digest ?? null}
    where id = ${sessionId}`;
}

/**
 * Reads sessions of visitors for the owner of a scenario. The owner's previews and sessions without
 * messages are in no list and no count.
 */
import {
  cutPage,
  type FeedbackOfSession,
  feedbackOfSession,
  groupBy,
  longestTranscriptBytes,
  type Page,
  type PageRequest,
  type RatingScale,
  type SessionOutcome,
  type StoredChain,
  withoutSecretShapes,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord, readRecords } from '../../../platform/database/read-document.ts';

export interface StoredVisit {
  readonly id: string;
  readonly scenarioId: string;
  readonly environmentId: string | null;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly status: 'active' | 'ended';
  readonly authType: 'signedIn' | 'guest';
  readonly recency: 'new' | 'returning';
  readonly displayName: string | null;
  readonly visitorHash: string;
  readonly deviceKind: string | null;
  readonly language: string | null;
  readonly modelId: string | null;
  readonly messageCount: number;
  readonly preview: string | null;
  readonly toolCallCount: number;
  readonly toolErrorCount: number;
  readonly authInterrupted: boolean;
  /** Null until the session has ended. */
  readonly outcome: SessionOutcome | null;
  /** The stored stages of the session with their results, not yet validated. */
  readonly chain: StoredChain | undefined;
  readonly feedback: FeedbackOfSession;
}

/** The SQL condition for sessions of real visitors. All counts use it, so that they agree. */
export function isRealVisit(sql: Sql): Fragment {
  return sql`not is_preview and message_count > 0`;
}

/**
 * The SQL condition for sessions whose outcome covers all their messages. The outcome is computed
 * after a session ended or was idle for long enough.
 */
export function isSettledVisit(sql: Sql): Fragment {
  return sql`coalesce(settled_at >= last_activity_at, false)`;
}

export async function listVisits(
  sql: Sql,
  scenarioId: string,
  { after, limit }: PageRequest,
): Promise<Page<StoredVisit>> {
  const rows = await sql<VisitRow[]>`
    select ${columns(sql)} from visitor_sessions
    where scenario_id = ${scenarioId} and ${isRealVisit(sql)}
      ${after ? sql`and (last_activity_at, id collate "C") < (${new Date(after.order)}, ${after.id})` : sql``}
    order by last_activity_at desc, id collate "C" desc limit ${limit + 1}`;
  const page = cutPage(rows, limit, (row) => ({
    order: row.lastActivityAt.getTime(),
    id: row.id,
  }));
  const feedback = await readFeedback(
    sql,
    page.items.map(({ id }) => id),
  );
  return { ...page, items: page.items.map((row) => visitOf(row, feedback)) };
}

export async function findVisit(
  sql: Sql,
  scenarioId: string,
  sessionId: string,
): Promise<StoredVisit | undefined> {
  const [row] = await sql<VisitRow[]>`
    select ${columns(sql)} from visitor_sessions
    where scenario_id = ${scenarioId} and id = ${sessionId} and ${isRealVisit(sql)}`;
  return row && visitOf(row, await readFeedback(sql, [row.id]));
}

/** Returns undefined if the transcript cannot be parsed or is too long. */
export async function readTranscript(
  sql: Sql,
  sessionId: string,
): Promise<readonly unknown[] | undefined> {
  const [size] = await sql<{ bytes: number }[]>`
    select coalesce(sum(octet_length(messages)), 0)::double precision as bytes from visitor_turns
    where session_id = ${sessionId}`;
  if ((size?.bytes ?? 0) > longestTranscriptBytes) return undefined;
  const turns = await sql<{ messages: string }[]>`
    select messages from visitor_turns where session_id = ${sessionId} order by ordinal`;
  const messages: unknown[] = [];
  for (const turn of turns) {
    const turnMessages = readDocument(turn.messages);
    if (!Array.isArray(turnMessages)) return undefined;
    messages.push(...turnMessages);
  }
  return messages;
}

/** Returns the visitor's messages in order. A message that the visitor sent again appears once. */
export async function readVisitorWords(sql: Sql, sessionId: string): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select text from visitor_turns
    where session_id = ${sessionId} and status in ('completed', 'failed', 'stopped') order by ordinal`;
  return rows.map(({ text }) => text);
}

export async function readFeedback(
  sql: Sql,
  sessionIds: readonly string[],
): Promise<Map<string, GivenRow[]>> {
  const rows = await sql<GivenRow[]>`
    select session_id, turn_id, rating, scale, comment, updated_at from visitor_feedback
    where session_id = any (${sessionIds})`;
  return groupBy(rows, ({ sessionId }) => sessionId);
}

export interface GivenRow {
  readonly sessionId: string;
  /** Null for a rating of the whole conversation. */
  readonly turnId: string | null;
  readonly rating: number;
  readonly scale: RatingScale | null;
  readonly comment: string | null;
  readonly updatedAt: Date;
}

export function feedbackOf(given: readonly GivenRow[] | undefined): FeedbackOfSession {
  return feedbackOfSession(
    (given ?? []).map(({ rating, scale, comment, updatedAt }) => ({
      rating,
      scale,
      comment,
      updatedAt: updatedAt.getTime(),
    })),
  );
}

type VisitRow = Omit<StoredVisit, 'chain' | 'feedback'> & { readonly chain: string | null };

function visitOf(
  { chain, ...row }: VisitRow,
  feedback: ReadonlyMap<string, readonly GivenRow[]>,
): StoredVisit {
  return {
    ...row,
    chain: chain === null ? undefined : (readRecord(chain) ?? { stageResults: null }),
    feedback: feedbackOf(feedback.get(row.id)),
  };
}

function columns(sql: Sql): Fragment {
  return sql`id, scenario_id, environment_id, started_at, last_activity_at, status, auth_type, recency, display_name,
    visitor_hash, device_kind, language, model_id, message_count, preview, tool_call_count, tool_error_count,
    auth_interrupted, case when ${isSettledVisit(sql)} then outcome end as outcome,
    case when ${isSettledVisit(sql)} then chain end as chain`;
}

export interface ListedVisit {
  readonly id: string;
  readonly scenarioId: string;
  readonly scenarioName: string;
  readonly displayName: string | null;
  readonly visitorHash: string;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly modelId: string | null;
  readonly messageCount: number;
  readonly turnCount: number;
  readonly toolCallCount: number;
  readonly preview: string | null;
  readonly usage: Readonly<Record<string, unknown>> | null;
}

export async function readNewestVisits(
  sql: Sql,
  projectId: string,
  { limit, after }: PageRequest,
  which: Fragment = sql`true`,
): Promise<ListedVisit[]> {
  const rows = await sql<(Omit<ListedVisit, 'usage'> & { usage: string | null })[]>`
    select session.id, scenario_id, scenarios.name as scenario_name, display_name, visitor_hash, started_at,
      last_activity_at, model_id, message_count, turn_count, tool_call_count, preview, usage
    from visitor_sessions session join scenarios on scenarios.id = scenario_id
    where session.project_id = ${projectId} and ${isRealVisit(sql)} and unpublished_at is null and ${which}
      ${
        after
          ? sql`and (last_activity_at, session.id collate "C") < (${new Date(after.order)}, ${after.id})`
          : sql``
      }
    order by last_activity_at desc, session.id collate "C" desc limit ${limit}`;
  return rows.map(({ usage, ...row }) => ({ ...row, usage: readRecord(usage) ?? null }));
}

/**
 * Returns candidates from the project's newest sessions: their stored messages contain the search
 * words in any field, before redaction. The caller must search the redacted messages.
 */
export async function readVisitsThatMaySay(
  sql: Sql,
  projectId: string,
  spelled: string,
  bounds: { readonly traces: number; readonly bytes: number },
): Promise<ListedVisit[]> {
  // The ids are read by a statement of their own, so that the long texts are searched only once.
  const found = await sql<{ id: string }[]>`
    with newest as materialized (
      select id, last_activity_at from visitor_sessions where project_id = ${projectId} and ${isRealVisit(sql)}
      order by last_activity_at desc, id collate "C" desc limit ${bounds.traces}),
    measured as materialized (
      select newest.id, visitor_turns.id as turn_id,
        sum(octet_length(messages)) over (order by last_activity_at desc, newest.id collate "C" desc) as bytes
      from newest join visitor_turns on session_id = newest.id)
    select distinct measured.id from measured join visitor_turns on visitor_turns.id = turn_id
    where bytes <= ${bounds.bytes} and strpos(lower(messages), lower(${spelled})) > 0`;
  const ids = found.map(({ id }) => id);
  const which = sql`session.id = any (${ids})`;
  return readNewestVisits(sql, projectId, { limit: bounds.traces }, which);
}

/**
 * Reads the messages of the visitor and the assistant for a search. Everything that looks like a
 * secret is removed.
 */
export async function readVisitMessages(sql: Sql, sessionId: string): Promise<readonly unknown[]> {
  const turns = await sql<{ messages: string }[]>`
    select messages from visitor_turns where session_id = ${sessionId} order by ordinal`;
  return turns.flatMap(({ messages }) =>
    readRecords(messages).map(({ role, text }) => ({
      role,
      content: withoutSecretShapes(String(text)),
    })),
  );
}

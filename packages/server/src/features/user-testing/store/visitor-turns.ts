import {
  sumUsage,
  type TokenUsage,
  type VisitLine,
  type VisitorMessage,
  type VisitorTurnStatus,
  withoutSecretShapes,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord, readRecords } from '../../../platform/database/read-document.ts';
import type { EarlierTurn, TurnBeat } from '../../turns/index.ts';

export interface NewVisitorTurn {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly scenarioId: string;
  readonly sessionId: string;
  readonly clientTurnId: string;
  readonly isAnonymous: boolean;
  readonly text: string;
  readonly environmentId: string;
  readonly modelId: string;
}

/** Marks turns as interrupted whose process wrote no heartbeat for `silentMs`. */
export async function interruptSilentTurns(
  sql: Sql,
  scenarioId: string,
  silentMs: number,
): Promise<void> {
  await sql`
    update visitor_turns set status = 'interrupted', completed_at = clock_timestamp()
    where scenario_id = ${scenarioId} and status in ('running', 'awaitingApproval')
      and beat_at < clock_timestamp() - ${silentMs} * interval '1 millisecond'`;
}

export interface KnownTurn {
  readonly id: string;
  readonly status: VisitorTurnStatus;
  readonly lines: readonly VisitLine[];
}

/**
 * The visitor's page assigns `clientTurnId`, and repeats it when it sends a message again. The
 * newest turn with the id is returned.
 */
export async function findTurnByClientId(
  sql: Sql,
  sessionId: string,
  clientTurnId: string,
): Promise<KnownTurn | undefined> {
  const [row] = await sql<{ id: string; status: VisitorTurnStatus; lines: string }[]>`
    select id, status, lines from visitor_turns
    where session_id = ${sessionId} and client_turn_id = ${clientTurnId} order by ordinal desc limit 1`;
  return row && { ...row, lines: readRecords(row.lines) as unknown as VisitLine[] };
}

export async function hasOpenTurn(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql`
    select from visitor_turns
    where session_id = ${sessionId} and status in ('running', 'awaitingApproval') limit 1`;
  return rows.length > 0;
}

/** If the message was sent before, its earlier turn stays until the new turn is stored. */
export async function insertTurn(sql: Sql, turn: NewVisitorTurn): Promise<void> {
  const { sessionId, clientTurnId } = turn;
  await sql`
    insert into visitor_turns (id, organization_id, project_id, scenario_id, session_id, ordinal, client_turn_id,
      is_anonymous, text, environment_id, model_id)
    select ${turn.id}, ${turn.organizationId}, ${turn.projectId}, ${turn.scenarioId}, ${sessionId},
      coalesce(max(ordinal) + 1, 0), ${clientTurnId}, ${turn.isAnonymous}, ${turn.text}, ${turn.environmentId},
      ${turn.modelId}
    from visitor_turns where session_id = ${sessionId}`;
}

/**
 * Deletes a turn that is running or waits for approval. A turn that was marked as interrupted
 * stays.
 */
export async function dropTurn(
  sql: Sql,
  turnId: string,
): Promise<'dropped' | 'interrupted' | 'gone'> {
  const { count } = await sql`
    delete from visitor_turns where id = ${turnId} and status in ('running', 'awaitingApproval')`;
  if (count > 0) return 'dropped';
  const left = await sql`select from visitor_turns where id = ${turnId}`;
  return left.length > 0 ? 'interrupted' : 'gone';
}

/** Stores all lines that the visitor got, to answer a repeated request with them. */
export async function writeLines(
  sql: Sql,
  turnId: string,
  lines: readonly VisitLine[],
): Promise<void> {
  await sql`update visitor_turns set lines = ${JSON.stringify(lines)} where id = ${turnId}`;
}

export interface CallDuration {
  readonly toolName: string;
  readonly serverName: string | null;
  readonly durationMs: number | null;
  readonly isError: boolean;
}

interface TurnToStore {
  readonly status: Exclude<VisitorTurnStatus, 'running' | 'awaitingApproval' | 'interrupted'>;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly messages: readonly VisitorMessage[];
  readonly evidence: object | null;
  readonly usage: object | null;
  readonly callDurations: readonly CallDuration[];
  readonly trace: object | null;
}

/**
 * Stores an ended turn and deletes earlier turns for the same message. Returns false if the turn
 * was interrupted or erased meanwhile.
 */
export async function storeTurn(
  sql: Sql,
  {
    id,
    organizationId,
    sessionId,
    clientTurnId,
  }: Pick<NewVisitorTurn, 'id' | 'organizationId' | 'sessionId' | 'clientTurnId'>,
  turn: TurnToStore,
): Promise<boolean> {
  // Lock the session before the turn. An erasure locks in the same order, so the two cannot
  // deadlock.
  await sql`select from visitor_sessions where id = ${sessionId} for no key update`;
  const { count } = await sql`
    update visitor_turns set ${sql({
      status: turn.status,
      error: turn.error === null ? null : JSON.stringify(turn.error),
      messages: JSON.stringify(turn.messages),
      evidence: turn.evidence === null ? null : JSON.stringify(turn.evidence),
      usage: turn.usage === null ? null : JSON.stringify(turn.usage),
      call_durations: JSON.stringify(turn.callDurations),
    })}, completed_at = clock_timestamp()
    where id = ${id} and status in ('running', 'awaitingApproval')`;
  if (count === 0) return false;
  await sql`
    delete from visitor_turns
    where session_id = ${sessionId} and client_turn_id = ${clientTurnId} and id <> ${id}`;
  if (turn.trace !== null) {
    await sql`
      insert into visitor_traces (turn_id, organization_id, trace)
      values (${id}, ${organizationId}, ${JSON.stringify(turn.trace)})`;
  }
  return true;
}

/**
 * Recounts all turns of the session, because a stored turn may have replaced an earlier one.
 * Returns the number of messages.
 */
export async function countTurns(
  sql: Sql,
  sessionId: string,
  last: {
    readonly environmentId: string;
    readonly modelId: string;
    /** Whether a server required a sign-in during the turn. */
    readonly authInterrupted: boolean;
  },
): Promise<number> {
  const rows = await sql<(Record<'text' | 'messages' | 'callDurations', string> & UsageRow)[]>`
    select text, messages, coalesce(call_durations, '[]') as call_durations, usage from visitor_turns
    where session_id = ${sessionId} and status in ('completed', 'failed', 'stopped') order by ordinal`;
  const calls = rows.flatMap((row) => readRecords(row.callDurations) as unknown as CallDuration[]);
  const messages = rows.flatMap((row) => messagesIn(row.messages));
  const messageCount = messages.filter(({ role }) => role !== 'tool').length;
  const usages = rows.flatMap(({ usage }) => (readRecord(usage) as TokenUsage | undefined) ?? []);
  const usage = sumUsage(usages);
  await sql`
    update visitor_sessions set ${sql({
      model_id: last.modelId,
      message_count: messageCount,
      turn_count: rows.length,
      preview: previewOf(rows[0]?.text ?? ''),
      tool_call_count: calls.length,
      tool_error_count: calls.filter(({ isError }) => isError).length,
      auth_interrupted: last.authInterrupted,
      usage: usage === null ? null : JSON.stringify(usage),
    })}, environment_id = coalesce(environment_id, ${last.environmentId}), last_activity_at = clock_timestamp(), settled_at = null
    where id = ${sessionId}`;
  return messageCount;
}

interface UsageRow {
  readonly usage: string | null;
}

/**
 * Redact before the text is cut. A cut could leave the beginning of a secret, which redaction does
 * not recognize.
 */
function previewOf(text: string): string {
  return withoutSecretShapes(text).slice(0, longestPreview).toWellFormed();
}

const longestPreview = 200;

function messagesIn(text: string): VisitorMessage[] {
  return readRecords(text) as unknown as VisitorMessage[];
}

export interface TurnToRead {
  readonly id: string;
  readonly clientTurnId: string;
  readonly status: VisitorTurnStatus;
  readonly text: string;
  readonly createdAt: Date;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly messages: readonly VisitorMessage[];
}

/**
 * Reads the turns of a session in order. If a message was sent again, only its last turn is
 * returned.
 */
export async function readTurns(sql: Sql, sessionId: string): Promise<TurnToRead[]> {
  const rows = await sql<(Omit<TurnToRead, 'error' | 'messages'> & Documents)[]>`
    select id, client_turn_id, status, text, created_at, error, messages from visitor_turns as turn
    where session_id = ${sessionId} and not exists (
      select from visitor_turns as later where later.session_id = turn.session_id
        and later.client_turn_id = turn.client_turn_id and later.ordinal > turn.ordinal)
    order by ordinal`;
  return rows.map(({ error, messages, ...row }) => ({
    ...row,
    error: (readRecord(error) as TurnToRead['error'] | undefined) ?? null,
    messages: messagesIn(messages),
  }));
}

interface Documents {
  readonly error: string | null;
  readonly messages: string;
}

/**
 * Reads the history before a message for the model: the texts of all turns, and the traces of the
 * newest turns up to a size limit.
 */
export async function readHistory(
  sql: Sql,
  { sessionId, clientTurnId }: Pick<NewVisitorTurn, 'sessionId' | 'clientTurnId'>,
): Promise<EarlierTurn[]> {
  const rows = await sql<{ isCompleted: boolean; messages: string; trace: string | null }[]>`
    select status = 'completed' as is_completed, messages, case when
      sum(octet_length(trace)) over (order by ordinal desc) <= ${mostTraceBytes} then trace end as trace
    from visitor_turns left join visitor_traces on turn_id = id
    where session_id = ${sessionId} and client_turn_id <> ${clientTurnId}
      and status in ('completed', 'failed', 'stopped') order by ordinal`;
  return rows.map(({ isCompleted, messages, trace }) => ({
    isCompleted,
    messages: messagesIn(messages),
    trace: readDocument(trace),
  }));
}

const mostTraceBytes = 4 * 1024 * 1024;

/** Returns false if no unfinished turn has this id. */
export async function requestStop(sql: Sql, turnId: string): Promise<boolean> {
  const { count } = await sql`
    update visitor_turns set stop_requested_at = coalesce(stop_requested_at, clock_timestamp())
    where id = ${turnId} and status in ('running', 'awaitingApproval')`;
  return count > 0;
}

/**
 * Writes the heartbeats of the turns that this process runs. A turn that is missing in the result
 * was deleted or interrupted.
 */
export async function beatTurns(sql: Sql, turnIds: readonly string[]): Promise<TurnBeat[]> {
  return sql<TurnBeat[]>`
    update visitor_turns as turn set beat_at = clock_timestamp()
    from visitor_sessions as session
    join scenarios on scenarios.id = session.scenario_id
    left join scenario_grants as live on live.id = session.grant_id and live.revoked_at is null
    where turn.id = any (${[...turnIds]}) and turn.status in ('running', 'awaitingApproval')
      and session.id = turn.session_id
    returning turn.id, turn.stop_requested_at is not null as is_stopped,
      scenarios.unpublished_at is not null or live.id is null as is_closed`;
}

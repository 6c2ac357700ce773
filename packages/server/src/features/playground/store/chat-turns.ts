import type {
  ApprovalDecision,
  ChatLane,
  VisitLine,
  VisitorMessage,
  VisitorTurnStatus,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecords } from '../../../platform/database/read-document.ts';
import type { ApprovalState, EarlierTurn, NewApproval, TurnBeat } from '../../turns/index.ts';

export interface StoredChatTurn {
  readonly id: string;
  readonly messageId: string;
  readonly ordinal: number;
  readonly lane: ChatLane;
  readonly status: VisitorTurnStatus;
  readonly text: string;
  readonly modelId: string;
  readonly createdAt: Date;
  readonly lines: readonly VisitLine[];
}

export interface NewChatTurn
  extends Pick<StoredChatTurn, 'id' | 'messageId' | 'lane' | 'text' | 'modelId'> {
  readonly organizationId: string;
  readonly sessionId: string;
}

/**
 * Lets only one turn of an organization start at a time, until the transaction ends. What the
 * transaction reads afterwards therefore stays true.
 */
export async function holdChatTurns(sql: Sql, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`chat turns ${organizationId}`}, 0))`;
}

export async function interruptSilentChatTurns(
  sql: Sql,
  organizationId: string,
  silentMs: number,
): Promise<void> {
  await sql`
    update chat_turns set status = 'interrupted', completed_at = clock_timestamp()
    where organization_id = ${organizationId} and ${isOpen(sql)}
      and beat_at < clock_timestamp() - ${silentMs} * interval '1 millisecond'`;
}

export async function countOpenChatTurns(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from chat_turns
    where organization_id = ${organizationId} and ${isOpen(sql)}`;
  return row?.count ?? 0;
}

export async function readChatTurns(sql: Sql, sessionId: string): Promise<StoredChatTurn[]> {
  const rows = await sql<(Omit<StoredChatTurn, 'lines'> & { lines: string })[]>`
    select id, message_id, ordinal, lane, status, text, model_id, created_at, lines from chat_turns
    where session_id = ${sessionId} order by ordinal, lane`;
  return rows.map(({ lines, ...row }) => ({ ...row, lines: linesIn(lines) }));
}

/** Inserts the turn. An unfinished answer to the same message in the same lane is replaced. */
export async function insertChatTurn(sql: Sql, turn: NewChatTurn): Promise<void> {
  const { sessionId, messageId, lane } = turn;
  await sql`
    delete from chat_turns where session_id = ${sessionId} and message_id = ${messageId} and lane = ${lane}
      and status in ('failed', 'stopped', 'interrupted')`;
  await sql`
    insert into chat_turns (id, organization_id, session_id, ordinal, message_id, lane, text, model_id)
    select ${turn.id}, ${turn.organizationId}, ${sessionId},
      coalesce(max(ordinal) filter (where message_id = ${messageId}), max(ordinal) + 1, 0), ${messageId}, ${lane},
      ${turn.text}, ${turn.modelId}
    from chat_turns where session_id = ${sessionId}`;
}

/** Deletes the turn only if it is still open. Returns whether it was deleted. */
export async function dropChatTurn(sql: Sql, turnId: string): Promise<boolean> {
  const { count } = await sql`delete from chat_turns where id = ${turnId} and ${isOpen(sql)}`;
  return count > 0;
}

/** Stores the lines shown so far, so that a page opened during the turn can show them. */
export async function writeChatLines(
  sql: Sql,
  turnId: string,
  lines: readonly VisitLine[],
): Promise<void> {
  await sql`
    update chat_turns set lines = ${JSON.stringify(lines)} where id = ${turnId} and ${isOpen(sql)}`;
}

export interface ChatTurnToStore {
  readonly status: 'completed' | 'failed' | 'stopped';
  readonly messages: readonly VisitorMessage[];
  readonly lines: readonly VisitLine[];
  readonly trace: object | null;
  readonly usage: object | null;
  readonly preview: string;
  readonly title: string;
}

/** Stores the turn's final content. Returns false if the turn was interrupted or deleted. */
export async function storeChatTurn(
  sql: Sql,
  { id, sessionId, modelId }: Pick<NewChatTurn, 'id' | 'sessionId' | 'modelId'>,
  turn: ChatTurnToStore,
): Promise<boolean> {
  await sql`select from chat_sessions where id = ${sessionId} for no key update`;
  const { count } = await sql`
    update chat_turns set ${sql({
      status: turn.status,
      messages: JSON.stringify(turn.messages),
      lines: JSON.stringify(turn.lines),
      trace: turn.trace === null ? null : JSON.stringify(turn.trace),
      usage: turn.usage === null ? null : JSON.stringify(turn.usage),
    })}, completed_at = clock_timestamp()
    where id = ${id} and ${isOpen(sql)}`;
  if (count === 0) return false;
  const rows = await sql<{ ordinal: number; messages: string }[]>`
    select ordinal, messages from chat_turns where session_id = ${sessionId}`;
  const allMessages = rows.flatMap(({ messages }) => readRecords(messages));
  const spoken = allMessages.filter(({ role }) => role === 'assistant').length;
  // Counts a message of the person once, even if several lanes answered it.
  const messageCount = new Set(rows.map(({ ordinal }) => ordinal)).size + spoken;
  await sql`
    update chat_sessions set model_id = ${modelId}, message_count = ${messageCount},
      tool_call_count = ${allMessages.filter(({ role }) => role === 'tool').length},
      preview = coalesce(preview, ${turn.preview}), title = coalesce(title, ${turn.title}),
      last_activity_at = clock_timestamp()
    where id = ${sessionId}`;
  return true;
}

/**
 * Reads the whole history for the model: the messages of all turns, and the traces of the newest
 * turns up to the size limit.
 */
export async function readChatHistory(
  sql: Sql,
  turnIds: readonly string[],
): Promise<EarlierTurn[]> {
  const rows = await sql<{ isCompleted: boolean; messages: string; trace: string | null }[]>`
    select status = 'completed' as is_completed, messages, case when
      sum(octet_length(trace)) over (order by ordinal desc) <= ${mostTraceBytes} then trace end as trace
    from chat_turns where id = any (${[...turnIds]}) order by ordinal`;
  return rows.map(({ isCompleted, messages, trace }) => ({
    isCompleted,
    messages: readRecords(messages) as unknown as VisitorMessage[],
    trace: readDocument(trace),
  }));
}

const mostTraceBytes = 4 * 1024 * 1024;

/** Returns whether the turn was still open. */
export async function requestChatStop(
  sql: Sql,
  sessionId: string,
  turnId: string,
): Promise<boolean> {
  const { count } = await sql`
    update chat_turns set stop_requested_at = coalesce(stop_requested_at, clock_timestamp())
    where id = ${turnId} and session_id = ${sessionId} and ${isOpen(sql)}`;
  return count > 0;
}

/**
 * Renews the heartbeats of the turns that run in this process. A turn that is missing in the result
 * was deleted or interrupted.
 */
export async function beatChatTurns(sql: Sql, turnIds: readonly string[]): Promise<TurnBeat[]> {
  return sql<TurnBeat[]>`
    update chat_turns as turn set beat_at = clock_timestamp()
    from chat_sessions as session
    where turn.id = any (${[...turnIds]}) and turn.status in ('running', 'awaitingApproval')
      and session.id = turn.session_id
    returning turn.id, turn.stop_requested_at is not null as is_stopped,
      not exists (select from memberships where memberships.organization_id = turn.organization_id
        and memberships.account_id = session.account_id) as is_closed`;
}

/**
 * Stores the question whether a call is allowed; the turn then waits for the decision. Returns
 * undefined if the turn has ended.
 */
export async function askForChatCall(
  sql: Sql,
  { id, turnId, argumentsHash, lifetimeMs }: NewApproval,
): Promise<{ readonly expiresAt: Date } | undefined> {
  const [row] = await sql<{ expiresAt: Date }[]>`
    update chat_turns set status = 'awaitingApproval', approval_id = ${id},
      approval_arguments_hash = ${argumentsHash}, approval_decision = null,
      approval_expires_at = clock_timestamp() + ${lifetimeMs} * interval '1 millisecond'
    where id = ${turnId} and status = 'running' returning approval_expires_at as expires_at`;
  return row;
}

/** Always returns true, because turns of the playground never wait for a free slot. */
export async function resumeChatTurn(sql: Sql, turnId: string): Promise<boolean> {
  await sql`
    update chat_turns set status = 'running' where id = ${turnId} and status = 'awaitingApproval'`;
  return true;
}

/** Stores a decision, which is final. It applies to a single call with exactly these arguments. */
export async function decideChatCall(
  sql: Sql,
  place: { readonly sessionId: string; readonly turnId: string },
  answer: {
    readonly approvalId: string;
    readonly argumentsHash: string;
    readonly decision: ApprovalDecision;
  },
): Promise<'decided' | 'over' | 'otherArguments' | undefined> {
  const [row] = await sql<{ isWaiting: boolean; isSame: boolean }[]>`
    select approval_decision is null and approval_expires_at > clock_timestamp()
        and status = 'awaitingApproval' as is_waiting,
      approval_arguments_hash = ${answer.argumentsHash} as is_same
    from chat_turns where id = ${place.turnId} and session_id = ${place.sessionId}
      and approval_id = ${answer.approvalId} for update`;
  if (row === undefined) return undefined;
  if (!row.isWaiting) return 'over';
  if (!row.isSame) return 'otherArguments';
  await sql`update chat_turns set approval_decision = ${answer.decision} where id = ${place.turnId}`;
  return 'decided';
}

export async function readChatDecisions(
  sql: Sql,
  approvalIds: readonly string[],
): Promise<ApprovalState[]> {
  return sql<ApprovalState[]>`
    select approval_id as id, approval_decision as decision,
      approval_expires_at <= clock_timestamp() as is_expired
    from chat_turns where approval_id = any (${[...approvalIds]})`;
}

function isOpen(sql: Sql): Fragment {
  return sql`status in ('running', 'awaitingApproval')`;
}

function linesIn(text: string): VisitLine[] {
  return readRecords(text) as unknown as VisitLine[];
}

/** Every write in this file requires the lease of the session; without it, nothing is written. */
import {
  type AttemptEndCause,
  type AttemptErrorCode,
  type AttemptStatus,
  isRecord,
  messageOfEnd,
  outcomeOfEvidence,
  type RefusedCall,
  type SessionEndReason,
  toolsOfSession,
} from '@proofmark/domain';
import type { SessionProgress, SessionRecord } from '../../../conversation/session-record.ts';
import type { Sql } from '../../../platform/database/database.ts';
import {
  type ClaimedWork,
  completeWork,
  type HeldWork,
  holdWork,
} from '../../../platform/work/store/leased-work.ts';
import { holdSurface, namesIn, rememberListedTools } from '../../evals/index.ts';
import { countEnded } from './end-session-attempts.ts';
import { addGradingWork } from './journey-work.ts';

export interface SessionToBegin {
  readonly id: string;
  readonly chatSessionId: string;
  readonly journeyId: string;
  readonly targetId: string;
  readonly hostId: string;
  readonly sessionIndex: number;
  readonly personaId: string;
  readonly personaLabel: string;
  readonly personaModel: string;
  readonly modelId: string;
}

export interface BegunSession {
  readonly sessionId: string;
  /** How often the attempt has been started, including this start. */
  readonly begun: number;
}

export interface SessionToEnd {
  readonly status: Exclude<AttemptStatus, 'pending' | 'running'>;
  readonly errorCode: AttemptErrorCode | null;
  readonly cause?: AttemptEndCause;
  readonly endReason: SessionEndReason | null;
  /** Absent if the session was never played. */
  readonly shown?: SessionProgress &
    Pick<SessionRecord, 'transcriptHash' | 'evidence' | 'toolSurface'>;
  readonly refusedCalls?: readonly RefusedCall[];
  /** The result of each stage of the session. Null if it is written later, with the grade. */
  readonly chain: object | null;
  readonly isGraded: boolean;
}

/**
 * Locks a run if it is open. Every transaction that changes the run's counts takes this lock first.
 */
export async function lockJourneyRun(sql: Sql, runId: string): Promise<boolean> {
  const rows = await sql`
    select from journey_runs where id = ${runId} and status = 'running' for no key update`;
  return rows.length > 0;
}

/**
 * Begins a session, and deletes what an earlier attempt wrote. If a worker repeats the call after a
 * lost response, it counts as one start. Returns undefined if the lease is lost or the session has
 * ended.
 */
export async function beginSession(
  sql: Sql,
  work: ClaimedWork,
  session: SessionToBegin,
): Promise<BegunSession | undefined> {
  const { groupId: runId, firstItem: ordinal, organizationId, projectId } = work;
  if (!(await lockJourneyRun(sql, runId)) || !(await isHeld(sql, work))) return undefined;
  const [attempt] = await sql<{ sessionId: string; begun: number }[]>`
    update journey_attempts set status = 'running', begun = begun + (begun_by_lease is distinct from ${work.lease}::bigint)::integer,
      begun_by_lease = ${work.lease}::bigint,
      session_id = coalesce(session_id, ${session.id})
    where run_id = ${runId} and ordinal = ${ordinal} and status in ('pending', 'running')
    returning session_id, begun`;
  if (attempt === undefined) return undefined;
  await sql`
    insert into swarm_sessions ${sql({
      id: attempt.sessionId,
      organization_id: organizationId,
      project_id: projectId,
      run_id: runId,
      ordinal,
      journey_id: session.journeyId,
      chat_session_id: session.chatSessionId,
      target_id: session.targetId,
      host_id: session.hostId,
      session_index: session.sessionIndex,
      persona_id: session.personaId,
      persona_label: session.personaLabel,
      persona_model: session.personaModel,
      model_id: session.modelId,
    })} on conflict (id) do update set started_at = clock_timestamp(), last_activity_at = clock_timestamp(),
      message_count = 0, preview = null, turn_count = 0, tool_call_count = 0, tool_error_count = 0, usage = null,
      intents = null`;
  if (attempt.begun > 1)
    await sql`delete from swarm_traces where session_id = ${attempt.sessionId}`;
  await sql`
    update journey_runs set started_at = coalesce(started_at, clock_timestamp()), heartbeat_at = clock_timestamp()
    where id = ${runId} and (heartbeat_at is null or heartbeat_at < clock_timestamp() - interval '9 seconds')`;
  return attempt;
}

/** Writes the turn if the lease is still held, and returns whether it is. */
export async function writeTurn(
  sql: Sql,
  held: HeldWork,
  sessionId: string,
  shown: SessionProgress,
): Promise<boolean> {
  if (!(await isHeld(sql, held))) return false;
  await show(sql, held.organizationId, sessionId, shown);
  return true;
}

/**
 * Returns whether the end was written, which requires the lease. The caller must hold the lock of
 * the run.
 */
export async function writeEnd(sql: Sql, work: ClaimedWork, end: SessionToEnd): Promise<boolean> {
  const { groupId: runId, firstItem: ordinal, organizationId } = work;
  if (!(await isHeld(sql, work))) return false;
  const { status, errorCode, shown, refusedCalls = [] } = end;
  await completeWork(sql, work);
  const message = errorCode === null ? null : messageOfEnd(errorCode, end.cause);
  const [attempt] = await sql<{ sessionId: string | null }[]>`
    update journey_attempts set status = ${status}, error_code = ${errorCode}, error_message = ${message}
    where run_id = ${runId} and ordinal = ${ordinal} and status in ('pending', 'running')
    returning session_id`;
  if (attempt === undefined) return false;
  await countEnded(sql, runId, status, 1);
  const { sessionId } = attempt;
  if (sessionId === null) return true;
  if (shown !== undefined) {
    await show(sql, organizationId, sessionId, shown);
    const { toolSurface } = shown;
    if (toolSurface !== null) await nameSurface(sql, { organizationId, runId }, toolSurface);
  }
  await sql`
    update swarm_sessions set outcome = ${status}, end_reason = ${end.endReason},
      transcript_hash = ${shown?.transcriptHash ?? null},
      evidence = ${shown ? JSON.stringify(shown.evidence) : null}, digest = ${shown ? digestOf(shown) : null},
      chain = ${end.chain && JSON.stringify(end.chain)},
      refused_calls = ${refusedCalls.length > 0 ? JSON.stringify(refusedCalls) : null}, grading_status = ${end.isGraded ? 'pending' : null},
      last_activity_at = clock_timestamp()
    where id = ${sessionId}`;
  if (end.isGraded) await addGradingWork(sql, work, sessionId);
  return true;
}

/**
 * Returns the outcome and the tools of a session. Statistics count them together with those of
 * visitors' sessions.
 */
function digestOf({ evidence, trace }: NonNullable<SessionToEnd['shown']>): string {
  const spans = isRecord(trace) ? trace['spans'] : undefined;
  return JSON.stringify({
    outcome: outcomeOfEvidence(evidence, { authInterrupted: false, rating: null }),
    tools: toolsOfSession(evidence, Array.isArray(spans) ? spans : []),
  });
}

async function show(
  sql: Sql,
  organizationId: string,
  sessionId: string,
  shown: SessionProgress,
): Promise<void> {
  const { usage, intents } = shown;
  await sql`
    update swarm_sessions set message_count = ${shown.messageCount}, preview = ${shown.preview},
      turn_count = ${shown.turnCount}, tool_call_count = ${shown.toolCallCount},
      tool_error_count = ${shown.toolErrorCount}, usage = ${usage && JSON.stringify(usage)},
      intents = ${intents && JSON.stringify(intents)}, last_activity_at = clock_timestamp()
    where id = ${sessionId}`;
  await sql`
    insert into swarm_traces (session_id, organization_id, trace)
    values (${sessionId}, ${organizationId}, ${JSON.stringify(shown.trace)})
    on conflict (session_id) do update set trace = excluded.trace`;
}

/**
 * Stores a reference from the run to a tool surface. The reference nearly always exists already, so
 * a read comes first. The caller must hold the lock of the run.
 */
async function nameSurface(
  sql: Sql,
  { organizationId, runId }: { readonly organizationId: string; readonly runId: string },
  surface: { readonly hash: string; readonly text: string },
): Promise<void> {
  const { hash, text } = surface;
  const named = await sql`
    select from journey_run_tool_surfaces where run_id = ${runId} and hash = ${hash}`;
  if (named.count > 0) return;
  await holdSurface(sql, organizationId, surface);
  await sql`
    insert into journey_run_tool_surfaces (organization_id, run_id, hash)
    values (${organizationId}, ${runId}, ${hash})`;
  await rememberListedTools(sql, namesIn(text), true);
}

async function isHeld(sql: Sql, held: HeldWork): Promise<boolean> {
  const [one] = await holdWork(sql, held, [{ held, madeProgress: false }]);
  return one === true;
}

import {
  type AttemptStatus,
  cutPage,
  type GoalScore,
  type Page,
  type PageRequest,
  RefusedCall,
  type RefusedTool,
  type SessionEndReason,
  type StoredChain,
  type TokenUsage,
  tallyRefusedCalls,
} from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord, readRecords } from '../../../platform/database/read-document.ts';
import { readGoalScore } from './graded-sessions.ts';

export interface StoredSession {
  readonly id: string;
  readonly projectId: string;
  readonly runId: string;
  readonly ordinal: number;
  readonly journeyId: string;
  readonly chatSessionId: string;
  readonly targetId: string;
  readonly hostId: string;
  readonly sessionIndex: number;
  readonly personaId: string;
  readonly personaLabel: string;
  readonly personaModel: string;
  readonly modelId: string;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
  readonly outcome: AttemptStatus;
  readonly endReason: SessionEndReason | null;
  readonly messageCount: number;
  readonly preview: string | null;
  readonly turnCount: number;
  readonly toolCallCount: number;
  readonly toolErrorCount: number;
  readonly usage: TokenUsage | null;
  /** The stored stages of the session with their results, not yet validated. */
  readonly chain: StoredChain | undefined;
  readonly result: 'passed' | 'failed' | null;
  readonly gradingStatus: 'pending' | 'completed' | 'failed' | null;
  readonly gradedAt: Date | null;
  readonly criteria: readonly StoredCriterion[];
  readonly goalScore: GoalScore | null;
  readonly refusedCalls: readonly RefusedCall[];
}

export interface StoredCriterion {
  readonly criterionId: string;
  readonly passed: boolean;
  readonly reason: string;
  readonly role?: 'gating' | 'advisory';
}

/** Lists the sessions of a run by target, then by session index. */
export async function listSwarmSessions(
  sql: Sql,
  runId: string,
  { after, limit }: PageRequest,
): Promise<Page<StoredSession>> {
  const rows = await sql<SessionRow[]>`
    select ${columns(sql)} from swarm_sessions where run_id = ${runId}
      ${after ? sql`and ordinal > ${after.order}` : sql``}
    order by ordinal limit ${limit + 1}`;
  return cutPage(rows.map(sessionOfRow), limit, ({ ordinal, id }) => ({ order: ordinal, id }));
}

/**
 * Returns undefined if there is no such session, and a null trace if the session has not written
 * one yet.
 */
export async function readSwarmTrace(
  sql: Sql,
  projectId: string,
  runId: string,
  sessionId: string,
): Promise<{ readonly trace: unknown } | undefined> {
  const [row] = await sql<{ trace: string | null }[]>`
    select trace from swarm_sessions session left join swarm_traces on session_id = session.id
    where session.id = ${sessionId} and run_id = ${runId} and project_id = ${projectId}`;
  return row && { trace: row.trace === null ? null : readDocument(row.trace) };
}

interface SessionRow
  extends Omit<StoredSession, 'usage' | 'chain' | 'criteria' | 'goalScore' | 'refusedCalls'> {
  readonly usage: string | null;
  readonly chain: string | null;
  readonly criteria: string | null;
  readonly goalScore: string | null;
  readonly refusedCalls: string | null;
}

function sessionOfRow({
  usage,
  chain,
  criteria,
  goalScore,
  refusedCalls,
  ...row
}: SessionRow): StoredSession {
  const graded = criteria === null ? [] : readDocument(criteria);
  return {
    ...row,
    usage: (readRecord(usage) as TokenUsage | undefined) ?? null,
    chain: chain === null ? undefined : (readRecord(chain) as StoredChain | undefined),
    criteria: Array.isArray(graded) ? (graded as StoredCriterion[]) : [],
    goalScore: readGoalScore(goalScore),
    refusedCalls: readRefusedCalls(refusedCalls),
  };
}

function readRefusedCalls(text: string | null): RefusedCall[] {
  const stored = text === null ? [] : readRecords(text);
  return stored.flatMap((call) => RefusedCall.safeParse(call).data ?? []);
}

export async function tallyRefusedInSessions(sql: Sql, runId: string): Promise<RefusedTool[]> {
  const rows = await sql<{ refusedCalls: string }[]>`
    select refused_calls from swarm_sessions where run_id = ${runId} and refused_calls is not null`;
  return tallyRefusedCalls(rows.map((row) => readRefusedCalls(row.refusedCalls)));
}

function columns(sql: Sql): Fragment {
  return sql`id, project_id, run_id, ordinal, journey_id, chat_session_id, target_id, host_id, session_index, persona_id,
    persona_label, persona_model, model_id, started_at, last_activity_at, outcome, end_reason, message_count, preview,
    turn_count, tool_call_count, tool_error_count, usage, chain, result, grading_status, graded_at, criteria, goal_score,
    refused_calls`;
}

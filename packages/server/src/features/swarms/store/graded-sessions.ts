/**
 * Reads and writes sessions for grading and judging. They are read under the row's lock, so that
 * concurrent results are not lost.
 */
import {
  type CountedSession,
  type CriterionGrade,
  type DerivedChain,
  type GoalScore,
  isRecord,
  type ScriptedIntent,
  type SessionEvidence,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord, readRecords } from '../../../platform/database/read-document.ts';

export interface SessionToGrade {
  readonly id: string;
  readonly runId: string;
  readonly waveId: string;
  readonly ordinal: number;
  readonly gradingStatus: 'pending' | 'completed' | 'failed' | null;
  readonly goalScore: GoalScore | null;
  /** Undefined if the stored evidence cannot be read. */
  readonly evidence: SessionEvidence | undefined;
  readonly intents: readonly ScriptedIntent[] | null;
}

export async function holdSessionToGrade(
  sql: Sql,
  sessionId: string,
): Promise<SessionToGrade | undefined> {
  const [row] = await sql<SessionRow[]>`
    select session.id, run_id, wave_id, ordinal, grading_status, goal_score, evidence, intents
    from swarm_sessions session join journey_runs on journey_runs.id = run_id
    where session.id = ${sessionId} for no key update of session`;
  return (
    row && {
      ...row,
      goalScore: readGoalScore(row.goalScore),
      evidence: readEvidence(row.evidence),
      intents: row.intents === null ? null : (readRecords(row.intents) as never),
    }
  );
}

interface SessionRow extends Omit<SessionToGrade, 'goalScore' | 'evidence' | 'intents'> {
  readonly goalScore: string | null;
  readonly evidence: string | null;
  readonly intents: string | null;
}

export function readEvidence(text: string | null): SessionEvidence | undefined {
  const stored = readRecord(text);
  const isKnown =
    stored?.['evidenceVersion'] === 1 &&
    isLists(stored['turns']) &&
    Array.isArray(stored['toolsOffered']) &&
    isRecord(stored['seen']) &&
    isRecord(stored['transcript']) &&
    isRecord(stored['end']);
  return isKnown ? (stored as unknown as SessionEvidence) : undefined;
}

function isLists(value: unknown): boolean {
  return Array.isArray(value) && value.every((calls) => Array.isArray(calls));
}

export function readGoalScore(text: string | null): GoalScore | null {
  const stored = readRecord(text);
  return typeof stored?.['status'] === 'string' ? (stored as unknown as GoalScore) : null;
}

export function readCriteria(text: string | null): CriterionGrade[] {
  return readRecords(text) as unknown as CriterionGrade[];
}

/** The caller must hold the lock of the session's row. */
export async function writeGrade(
  sql: Sql,
  sessionId: string,
  grade: {
    readonly status: 'completed' | 'failed';
    readonly result: 'passed' | 'failed' | null;
    readonly criteria: readonly CriterionGrade[];
    readonly chain: DerivedChain | undefined;
  },
): Promise<void> {
  const { status, result, criteria, chain } = grade;
  await sql`
    update swarm_sessions set grading_status = ${status}, result = ${result}, graded_at = clock_timestamp(),
      criteria = ${status === 'completed' ? JSON.stringify(criteria) : null},
      chain = ${chain === undefined ? null : JSON.stringify(chain)}
    where id = ${sessionId} and grading_status = 'pending'`;
}

/**
 * Without a new chain, the stored chain stays. The caller must hold the lock of the session's row.
 */
export async function writeGoalScore(
  sql: Sql,
  sessionId: string,
  goalScore: GoalScore,
  chain: DerivedChain | undefined,
): Promise<void> {
  await sql`
    update swarm_sessions set goal_score = ${JSON.stringify(goalScore)}
      ${chain === undefined ? sql`` : sql`, chain = ${JSON.stringify(chain)}`}
    where id = ${sessionId}`;
}

/** Lists the sessions of a run that wait for its judge, from an inclusive range of ordinals. */
export async function listSessionsToJudge(
  sql: Sql,
  runId: string,
  { firstItem, lastItem }: { readonly firstItem: number; readonly lastItem: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from swarm_sessions
    where run_id = ${runId} and ordinal between ${firstItem} and ${lastItem}
      and goal_score::jsonb ->> 'status' = 'pending'
    order by ordinal`;
  return rows.map(({ id }) => id);
}

/** Lists every session of a run for scorecards, including sessions that have not begun. */
export async function listCountedSessions(sql: Sql, runId: string): Promise<CountedSession[]> {
  const rows = await sql<CountedRow[]>`
    select attempt.session_id, attempt.target_id, status, error_code, begun, grading_status, criteria, transcript_hash
    from journey_attempts attempt left join swarm_sessions on swarm_sessions.id = session_id
    where attempt.run_id = ${runId} order by attempt.ordinal`;
  return rows.map(({ gradingStatus, criteria, ...row }) => ({
    ...row,
    grading: gradingStatus,
    criteria: gradingStatus === 'completed' ? readCriteria(criteria) : [],
  }));
}

type CountedRow = Omit<CountedSession, 'grading' | 'criteria'> & {
  readonly gradingStatus: CountedSession['grading'];
  readonly criteria: string | null;
};

/** Reads the messages of a session from its trace, which stores long messages shortened. */
export async function readSessionMessages(
  sql: Sql,
  sessionId: string,
): Promise<readonly unknown[] | undefined> {
  const messages = (await readTrace(sql, sessionId))?.['messages'];
  return Array.isArray(messages) ? messages : undefined;
}

/** Reads the user's messages at full length, or undefined if they are not stored. */
export async function readSessionPrompts(
  sql: Sql,
  sessionId: string,
): Promise<readonly string[] | undefined> {
  const turns = (await readTrace(sql, sessionId))?.['prompts'];
  const prompts = (Array.isArray(turns) ? turns : [undefined]).map((turn) =>
    isRecord(turn) ? turn['prompt'] : undefined,
  );
  return prompts.every((prompt) => typeof prompt === 'string') ? prompts : undefined;
}

async function readTrace(sql: Sql, sessionId: string) {
  const [row] = await sql<{ trace: string }[]>`
    select trace from swarm_traces where session_id = ${sessionId}`;
  return row && readRecord(row.trace);
}

export async function readSessionToKeep(
  sql: Sql,
  {
    projectId,
    runId,
    sessionId,
  }: { readonly projectId: string; readonly runId: string; readonly sessionId: string },
): Promise<
  | {
      readonly modelId: string;
      readonly sessionIndex: number;
      readonly result: 'passed' | 'failed' | null;
      readonly evidence: SessionEvidence | undefined;
    }
  | undefined
> {
  const [row] = await sql<
    {
      modelId: string;
      sessionIndex: number;
      result: 'passed' | 'failed' | null;
      evidence: string | null;
    }[]
  >`
    select model_id, session_index, result, evidence from swarm_sessions
    where id = ${sessionId} and run_id = ${runId} and project_id = ${projectId}`;
  return row && { ...row, evidence: readEvidence(row.evidence) };
}

import type { Json, PageRequest, StoredChain } from '@proofmark/domain';
import type { SessionToExport } from '@proofmark/report';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';

export interface EndOfSession {
  readonly id: string;
  readonly endedAt: Date;
}

/**
 * Returns the time before which all ended sessions are graded. Readers page by end time and would
 * skip a session that is graded later. So an ungraded session hides all sessions that ended after
 * it.
 */
export async function readGradedBefore(
  sql: Sql,
  projectId: string,
  settledBefore: Date,
): Promise<Date> {
  const [row] = await sql<{ before: Date }[]>`
    select least(${settledBefore}, min(last_activity_at)) as before from swarm_sessions
    where project_id = ${projectId} and grading_status = 'pending'`;
  return row?.before ?? settledBefore;
}

/**
 * Returns up to one session more than the limit, ordered by end. An ended session has no further
 * activity, so its last activity is its end.
 */
export async function readEndedSessions(
  sql: Sql,
  projectId: string,
  { limit, after }: PageRequest,
  before: Date,
): Promise<EndOfSession[]> {
  const rows = await sql<EndOfSession[]>`
    select id, last_activity_at as ended_at from swarm_sessions
    where project_id = ${projectId} and outcome <> 'running' and last_activity_at < ${before}
      ${after ? sql`and (last_activity_at, id collate "C") > (${new Date(after.order)}, ${after.id})` : sql``}
    order by last_activity_at, id collate "C" limit ${limit + 1}`;
  return [...rows];
}

/**
 * Returns the session with its trace and the trace's length in characters. Returns undefined if the
 * session no longer exists or has no readable trace.
 */
export async function readSessionToExport(
  sql: Sql,
  { id, endedAt }: EndOfSession,
): Promise<{ readonly session: SessionToExport; readonly size: number } | undefined> {
  const [row] = await sql<ExportedRow[]>`
    select session.id, session.run_id, journey_id, persona_id, session.target_id, outcome, error_code, result, model_id,
      started_at, usage, chain, trace
    from swarm_sessions session
      join swarm_traces on swarm_traces.session_id = session.id
      join journey_attempts attempt on attempt.run_id = session.run_id and attempt.ordinal = session.ordinal
    where session.id = ${id}`;
  const trace = row && readRecord(row.trace);
  if (row === undefined || trace === undefined) return undefined;
  const { startedAt, usage, chain, trace: text, ...columns } = row;
  return {
    size: text.length,
    session: {
      ...columns,
      startedAtMs: startedAt.getTime(),
      endedAtMs: endedAt.getTime(),
      usage: readRecord(usage) ?? null,
      chain: readRecord(chain) as StoredChain | undefined,
      trace: trace as Json,
    },
  };
}

type ExportedRow = Omit<
  SessionToExport,
  'startedAtMs' | 'endedAtMs' | 'usage' | 'chain' | 'trace'
> & {
  readonly startedAt: Date;
  readonly usage: string | null;
  readonly chain: string | null;
  readonly trace: string;
};

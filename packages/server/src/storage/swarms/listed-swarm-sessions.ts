/** Sessions of journey runs as a list of all sessions of a project shows them. */
import type { PageRequest, TokenUsage } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readRecord } from '../database/read-document.ts';

export interface ListedSwarmSession {
  readonly id: string;
  readonly chatSessionId: string;
  readonly runId: string;
  readonly journeyId: string;
  readonly journeyName: string;
  readonly personaLabel: string;
  readonly sessionIndex: number;
  readonly modelId: string;
  readonly source: 'api' | 'ui';
  /** The account that launched the run. */
  readonly requestedBy: string;
  readonly preview: string | null;
  readonly messageCount: number;
  readonly turnCount: number;
  readonly toolCallCount: number;
  readonly usage: TokenUsage | null;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
}

/** The latest activity first. */
export async function readNewestSwarmSessions(
  sql: Sql,
  projectId: string,
  { limit, after }: PageRequest,
): Promise<ListedSwarmSession[]> {
  const rows = await sql<(Omit<ListedSwarmSession, 'usage'> & { usage: string | null })[]>`
    select session.id, chat_session_id, run_id, session.journey_id, journey_name, persona_label, session_index, model_id,
      source, requested_by, preview, message_count, turn_count, tool_call_count, usage, session.started_at,
      last_activity_at
    from swarm_sessions session join journey_runs on journey_runs.id = run_id
    where session.project_id = ${projectId}
      ${
        after
          ? sql`and (last_activity_at, session.id collate "C") < (${new Date(after.order)}, ${after.id})`
          : sql``
      }
    order by last_activity_at desc, session.id collate "C" desc limit ${limit}`;
  return rows.map(({ usage, ...row }) => ({
    ...row,
    usage: (readRecord(usage) as TokenUsage | undefined) ?? null,
  }));
}

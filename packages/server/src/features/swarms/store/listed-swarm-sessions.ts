import type { PageRequest, TokenUsage } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import { type SearchBounds, spelledPart } from '../../../platform/database/search-traces.ts';
import { projectsSeenBy } from '../../playground/index.ts';

export interface ListedSwarmSession {
  readonly id: string;
  readonly chatSessionId: string;
  readonly projectId: string;
  readonly runId: string;
  readonly journeyId: string;
  readonly journeyName: string;
  readonly personaLabel: string;
  readonly sessionIndex: number;
  readonly modelId: string;
  readonly source: 'api' | 'ui';
  readonly isSample: boolean;
  readonly requestedBy: string;
  readonly preview: string | null;
  readonly messageCount: number;
  readonly turnCount: number;
  readonly toolCallCount: number;
  readonly usage: TokenUsage | null;
  readonly startedAt: Date;
  readonly lastActivityAt: Date;
}

export function readNewestSwarmSessions(
  sql: Sql,
  projectId: string,
  page: PageRequest,
): Promise<ListedSwarmSession[]> {
  return read(sql, sql`session.project_id = ${projectId}`, page);
}

export function readSwarmSessionsSeenBy(
  sql: Sql,
  accountId: string,
  page: PageRequest,
): Promise<ListedSwarmSession[]> {
  return read(sql, sql`session.project_id in (${projectsSeenBy(sql, accountId)})`, page);
}

/**
 * Returns the newest sessions whose stored trace contains the search words. A match may be outside
 * the messages, so the caller must search the messages too.
 */
export function readSwarmSessionsThatMaySay(
  sql: Sql,
  projectId: string,
  words: string,
  bounds: SearchBounds,
): Promise<ListedSwarmSession[]> {
  const mayBe = sql`session.id in (
    with newest as (
      select id, last_activity_at from swarm_sessions where project_id = ${projectId}
      order by last_activity_at desc, id collate "C" desc limit ${bounds.traces}),
    measured as (
      select id, sum(octet_length(trace)) over (order by last_activity_at desc, id collate "C" desc) as bytes
      from newest join swarm_traces on session_id = id)
    select id from measured join swarm_traces on session_id = id
    where bytes <= ${bounds.bytes} and strpos(lower(trace), lower(${spelledPart(words)})) > 0)`;
  return read(sql, mayBe, { limit: bounds.traces });
}

async function read(
  sql: Sql,
  which: Fragment,
  { limit, after }: PageRequest,
): Promise<ListedSwarmSession[]> {
  const rows = await sql<(Omit<ListedSwarmSession, 'usage'> & { usage: string | null })[]>`
    select session.id, chat_session_id, session.project_id, run_id, session.journey_id, journey_name, persona_label,
      session_index, model_id, source, is_sample, requested_by, preview, message_count, turn_count, tool_call_count, usage,
      session.started_at, last_activity_at
    from swarm_sessions session join journey_runs on journey_runs.id = run_id
    where ${which}
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

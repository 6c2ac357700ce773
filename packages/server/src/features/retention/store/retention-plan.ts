/**
 * Plans what retention would remove now, by the domain rules. The removal checks each run again.
 */
import {
  type KeepRule,
  type RetainedRuns,
  type Retention,
  type RunToRetain,
  retainRuns,
  retainSessions,
  type SessionToRetain,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { databaseNow } from '../../../platform/database/database-now.ts';
import { countsForSuiteIn } from '../../evals/index.ts';
import { listJourneyRunsToRetain } from '../../swarms/index.ts';

export interface RetentionPlan extends RetainedRuns {
  readonly organizationId: string;
  readonly journeyRuns: RetainedRuns;
  readonly sessions: readonly string[];
}

export async function planRetention(
  sql: Sql,
  organizationId: string,
  retention: Retention,
): Promise<RetentionPlan> {
  const nowMs = (await databaseNow(sql)).getTime();
  const isBounded = bounds(retention.runs) || bounds(retention.traces);
  const runs = isBounded ? await listRuns(sql, organizationId) : [];
  const journeyRuns = isBounded ? await listJourneyRunsToRetain(sql, organizationId) : [];
  const sessions = bounds(retention.sessions) ? await listSessions(sql, organizationId) : [];
  return {
    organizationId,
    ...retainRuns(runs, retention, nowMs),
    journeyRuns: retainRuns(journeyRuns, retention, nowMs),
    sessions: retainSessions(sessions, retention.sessions, nowMs),
  };
}

function bounds({ days, count }: KeepRule): boolean {
  return days !== null || count !== null;
}

async function listRuns(sql: Sql, organizationId: string): Promise<RunToRetain[]> {
  return sql<RunToRetain[]>`
    select id, suite_id, run_number,
      (extract(epoch from coalesce(completed_at, created_at)) * 1000)::float8 as at_ms,
      eval_runs.status in ('pending', 'running') or judge_status is not distinct from 'pending'
        or insights.status is not distinct from 'pending' as is_open,
      exists (
        select from gate_waivers
        where gate_waivers.run_id = eval_runs.id and revoked_at is null
          and expires_at > statement_timestamp()) as is_waived,
      eval_runs.status = 'completed' and result is not null as is_decided, ${countsForSuiteIn(sql)} as counts_for_suite,
      traces_removed_at is null and coalesce(run_sizes.traces, 1) > 0 as has_traces
    from eval_runs left join run_sizes on run_sizes.run_id = eval_runs.id
      left join insights on insights.kind = 'eval_run' and scope_id = eval_runs.id
    where eval_runs.organization_id = ${organizationId}`;
}

async function listSessions(sql: Sql, organizationId: string): Promise<SessionToRetain[]> {
  return sql<SessionToRetain[]>`
    select id, account_id, (extract(epoch from last_activity_at) * 1000)::float8 as last_activity_ms
    from chat_sessions where organization_id = ${organizationId}`;
}

export interface RetainedSize {
  /** The number of trials; for journey runs, the number of their sessions. */
  readonly trials: number;
  readonly traces: number;
  readonly bytes: number;
  readonly traceBytes: number;
  readonly oldest: Date | null;
  readonly newest: Date | null;
}

export async function sizeOfRuns(sql: Sql, runIds: readonly string[]): Promise<RetainedSize> {
  const [row] = await sql<RetainedSize[]>`
    select coalesce(sum(trials), 0)::float8 as trials, coalesce(sum(traces), 0)::float8 as traces,
      coalesce(sum(bytes), 0)::float8 as bytes, coalesce(sum(trace_bytes), 0)::float8 as trace_bytes,
      min(coalesce(completed_at, created_at)) as oldest, max(coalesce(completed_at, created_at)) as newest
    from eval_runs left join run_sizes on run_sizes.run_id = eval_runs.id
    where eval_runs.id = any (${runIds as string[]})`;
  return row as RetainedSize;
}

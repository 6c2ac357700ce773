/**
 * Finds and removes journey runs for retention, by the same rules as suite runs, counted per
 * journey. Runs are locked before the check that none of them waits for a grade, a judge or an
 * explanation.
 */
import { type RunToRetain, withoutExcerpts } from '@proofmark/domain';
import type { Fragment, Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import { readMaterial, removeExcerpts } from '../../insights/index.ts';

/**
 * A run with a successful session counts as decided. Retention never removes the newest decided run
 * of a journey, because only this run shows the state of the journey.
 */
export async function listJourneyRunsToRetain(
  sql: Sql,
  organizationId: string,
): Promise<RunToRetain[]> {
  return sql<RunToRetain[]>`
    select journey_runs.id, journey_id as suite_id,
      (row_number() over (order by created_at, journey_runs.id))::integer as run_number,
      (extract(epoch from coalesce(completed_at, created_at)) * 1000)::float8 as at_ms,
      ${isOpen(sql)} as is_open, false as is_waived, succeeded > 0 as is_decided, true as counts_for_suite,
      traces_removed_at is null and coalesce(journey_run_sizes.traces, 1) > 0 as has_traces
    from journey_runs left join journey_run_sizes on journey_run_sizes.run_id = journey_runs.id
    where journey_runs.organization_id = ${organizationId}`;
}

/**
 * The SQL condition for a run that is not finished: it is running, or waits for a grade, a judge or
 * its wave's explanation.
 */
function isOpen(sql: Sql): Fragment {
  return sql`(journey_runs.status = 'running'
    or exists (
      select from swarm_sessions
      where swarm_sessions.run_id = journey_runs.id
        and (grading_status = 'pending' or goal_score like '%"status":"pending"%'))
    or exists (
      select from insights
      where insights.kind = 'swarm_wave' and scope_id = journey_runs.project_id || '/' || wave_id
        and insights.status = 'pending'))`;
}

async function lockRemovable(
  sql: Sql,
  organizationId: string,
  runIds: readonly string[],
): Promise<string[]> {
  await sql`
    select from journey_runs where organization_id = ${organizationId} and id = any (${runIds as string[]})
    order by id for update`;
  const rows = await sql<{ id: string }[]>`
    select id from journey_runs
    where organization_id = ${organizationId} and id = any (${runIds as string[]}) and not ${isOpen(sql)}`;
  return rows.map(({ id }) => id);
}

/** Findings of the runs' waves are not removed. */
export async function removeJourneyRuns(
  sql: Sql,
  organizationId: string,
  runIds: readonly string[],
): Promise<{ runs: number; sessions: number }> {
  const ids = await lockRemovable(sql, organizationId, runIds);
  const [row] = await sql<{ runs: number; sessions: number }[]>`
    with gone as (delete from journey_runs where id = any (${ids}) returning total)
    select count(*)::integer as runs, coalesce(sum(total), 0)::integer as sessions from gone`;
  return row ?? { runs: 0, sessions: 0 };
}

/**
 * Removes the traces of runs and the quotations from these traces, but not the results of sessions.
 */
export async function removeJourneyTraces(
  sql: Sql,
  organizationId: string,
  runIds: readonly string[],
): Promise<{ runs: number; traces: number }> {
  const ids = await lockRemovable(sql, organizationId, runIds);
  const gone = await sql`
    delete from swarm_traces where organization_id = ${organizationId} and session_id in (
      select id from swarm_sessions where run_id = any (${ids}))`;
  const waves = await sql<{ projectId: string; waveId: string }[]>`
    update journey_runs set traces_removed_at = statement_timestamp(), revision = revision + 1
    where id = any (${ids}) returning project_id, wave_id`;
  for (const { projectId, waveId } of waves) await removeQuotes(sql, projectId, waveId);
  return { runs: ids.length, traces: gone.count };
}

async function removeQuotes(sql: Sql, projectId: string, waveId: string): Promise<void> {
  await removeExcerpts(sql, 'swarm_wave', [`${projectId}/${waveId}`]);
  const [wave] = await sql<{ result: string }[]>`
    select result from waves where project_id = ${projectId} and id = ${waveId} for no key update`;
  const result = wave && readRecord(wave.result);
  const material = readMaterial(JSON.stringify(result?.['material'] ?? null));
  if (result === undefined || material === undefined) return;
  const kept = JSON.stringify({ ...result, material: withoutExcerpts(material) });
  await sql`update waves set result = ${kept} where project_id = ${projectId} and id = ${waveId}`;
}

/** Returns the last measured size of the runs. */
export async function sizeOfJourneyRuns(sql: Sql, runIds: readonly string[]) {
  const [row] = await sql<
    {
      sessions: number;
      traces: number;
      bytes: number;
      traceBytes: number;
      oldest: Date | null;
      newest: Date | null;
    }[]
  >`
    select coalesce(sum(sessions), 0)::float8 as sessions, coalesce(sum(traces), 0)::float8 as traces,
      coalesce(sum(bytes), 0)::float8 as bytes, coalesce(sum(trace_bytes), 0)::float8 as trace_bytes,
      min(coalesce(completed_at, created_at)) as oldest, max(coalesce(completed_at, created_at)) as newest
    from journey_runs left join journey_run_sizes on journey_run_sizes.run_id = journey_runs.id
    where journey_runs.id = any (${runIds as string[]})`;
  return row as NonNullable<typeof row>;
}

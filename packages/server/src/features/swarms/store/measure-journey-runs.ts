import type { Sql } from '../../../platform/database/database.ts';
import {
  bytesPerRow,
  type ChangedRun,
  type MeasuredRuns,
  recentDays,
  runsAtOnce,
} from '../../evals/index.ts';

/**
 * For this many hours after its end, a run is measured again. Grades written in this time change
 * its size, but not its revision.
 */
const gradedWithinHours = 1;

export const runsOfJourneys: MeasuredRuns = {
  listChanged: (sql, which, after) => sql<ChangedRun[]>`
    select id, runs.organization_id, runs.revision
    from journey_runs runs left join journey_run_sizes sizes on sizes.run_id = runs.id
    where (sizes.revision is distinct from runs.revision
        or counted_at < completed_at + make_interval(hours => ${gradedWithinHours})) and id > ${after}
      ${which === 'all' ? sql`` : sql`and created_at > now() - make_interval(days => ${recentDays})`}
    order by id limit ${runsAtOnce}`,
  measure,
};

async function measure(sql: Sql, { id, organizationId, revision }: ChangedRun): Promise<void> {
  await sql`
    insert into journey_run_sizes (run_id, organization_id, revision, counted_at, sessions, traces, bytes, trace_bytes)
    select id, ${organizationId}, ${revision}, clock_timestamp(), sessions.rows, traces.rows,
      own_bytes + attempts.bytes + sessions.bytes + traces.bytes, traces.bytes
    from (
      select id, 2 * ${bytesPerRow} + pg_column_size(targets) + pg_column_size(rubric)
        + coalesce((select pg_column_size(snapshot) from journey_run_snapshots where run_id = ${id}), 0) as own_bytes
      from journey_runs where id = ${id}
    ) run, (
      select count(*) * ${bytesPerRow} as bytes from journey_attempts where run_id = ${id}
    ) attempts, (
      select count(*) as rows, coalesce(sum(${bytesPerRow} + coalesce(pg_column_size(preview), 0)
        + coalesce(pg_column_size(usage), 0) + coalesce(pg_column_size(intents), 0)
        + coalesce(pg_column_size(evidence), 0) + coalesce(pg_column_size(chain), 0)
        + coalesce(pg_column_size(criteria), 0) + coalesce(pg_column_size(goal_score), 0)), 0) as bytes
      from swarm_sessions where run_id = ${id}
    ) sessions, (
      select count(*) as rows, coalesce(sum(${bytesPerRow} + pg_column_size(trace)), 0) as bytes
      from swarm_traces join swarm_sessions on swarm_sessions.id = session_id where run_id = ${id}
    ) traces
    on conflict (run_id) do update set revision = excluded.revision, counted_at = excluded.counted_at,
      sessions = excluded.sessions, traces = excluded.traces, bytes = excluded.bytes, trace_bytes = excluded.trace_bytes`;
}

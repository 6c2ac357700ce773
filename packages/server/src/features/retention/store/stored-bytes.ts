/**
 * Measures the storage of changed runs, one run at a time. A size is the stored content, compressed
 * where PostgreSQL compresses it, plus an estimate for each row's ids and index entries.
 */
import type { Database, Sql } from '../../../platform/database/database.ts';
import {
  bytesOfWidgets,
  bytesPerRow,
  type ChangedRun,
  type MeasuredRuns,
  recentDays,
  runsAtOnce,
  type WhichRuns,
} from '../../evals/index.ts';
import { runsOfJourneys } from '../../swarms/index.ts';

const organizationsAtOnce = 100;
/**
 * The maximum wait for a locked run, in milliseconds. Only a run that was never measured is waited
 * for, because it would otherwise have no size at all.
 */
const longestWaitMs = 1000;
const lockNotAvailable = '55P03';
const foreignKeyViolation = '23503';

/**
 * Measures recent runs, or all runs, and returns the number of measured ones. Each run has its own
 * transaction, so that a locked run does not delay the others. One pass measures no run twice, even
 * if the run keeps changing.
 */
export async function measureStorage(database: Database, which: WhichRuns): Promise<number> {
  const organizations = await database.sql<{ id: string }[]>`select id from organizations`;
  let measured = 0;
  for (let start = 0; start < organizations.length; start += organizationsAtOnce) {
    const ids = organizations.slice(start, start + organizationsAtOnce).map(({ id }) => id);
    for (const runs of [runsOfSuites, runsOfJourneys]) {
      measured += await measureChanged(database, ids, runs, which);
    }
    await database.tenant(ids, sumUp, 'slow');
  }
  return measured;
}

async function measureChanged(
  database: Database,
  organizationIds: readonly string[],
  runs: MeasuredRuns,
  which: WhichRuns,
): Promise<number> {
  let measured = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const from: string = after;
    const changed = await database.tenant(
      organizationIds,
      (sql) => runs.listChanged(sql, which, from),
      'slow',
    );
    for (const run of changed) if (await measureAlone(database, run, runs)) measured += 1;
    after = changed.length === runsAtOnce ? changed.at(-1)?.id : undefined;
  }
  return measured;
}

function listChanged(sql: Sql, which: WhichRuns, after: string): Promise<ChangedRun[]> {
  return sql<ChangedRun[]>`
    select id, eval_runs.organization_id, eval_runs.revision
    from eval_runs left join run_sizes on run_sizes.run_id = eval_runs.id
    where run_sizes.revision is distinct from eval_runs.revision and id > ${after}
      ${which === 'all' ? sql`` : sql`and created_at > now() - make_interval(days => ${recentDays})`}
    order by id limit ${runsAtOnce}`;
}

/**
 * Returns whether the run was measured. A run that stays locked is left to the next pass; a deleted
 * run is skipped.
 */
async function measureAlone(
  database: Database,
  run: ChangedRun,
  { measure }: MeasuredRuns,
): Promise<boolean> {
  const work = async (sql: Sql) => {
    await sql`select set_config('lock_timeout', ${String(longestWaitMs)}, true)`;
    await measure(sql, run);
  };
  try {
    await database.tenant([run.organizationId], work, 'slow');
    return true;
  } catch (error) {
    if (isHeldOrGone(error)) return false;
    throw error;
  }
}

function isHeldOrGone(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === lockNotAvailable || code === foreignKeyViolation;
}

/**
 * The run id is repeated for each table, so that each read touches only the partition of one month.
 */
async function measure(sql: Sql, { id, organizationId, revision }: ChangedRun): Promise<void> {
  await sql`
    insert into run_sizes (run_id, organization_id, revision, trials, traces, bytes, trace_bytes)
    select id, ${organizationId}, ${revision}, trials.rows, traces.rows,
      own_bytes + plan_bytes + trials.bytes + judged.bytes + traces.bytes + widgets.bytes,
      traces.bytes + widgets.bytes
    from (
      select id, ${bytesPerRow} + pg_column_size(snapshot) + coalesce(pg_column_size(verdict_summary), 0)
        + coalesce(pg_column_size(case_titles), 0) as own_bytes
      from eval_runs where id = ${id}
    ) run, (
      select coalesce(sum(pg_column_size(plan)), 0) as plan_bytes from eval_run_plans where run_id = ${id}
    ) planned, (
      select count(*) as rows, coalesce(sum(${bytesPerRow} + pg_column_size(expected_tool_calls)
        + pg_column_size(actual_tool_calls) + coalesce(pg_column_size(title), 0)
        + coalesce(pg_column_size(error), 0) + coalesce(pg_column_size(chain), 0)
        + coalesce(pg_column_size(scores), 0) + coalesce(pg_column_size(usage), 0)), 0) as bytes
      from eval_iterations where run_id = ${id}
    ) trials, (
      select count(trace) as rows, coalesce(sum(${bytesPerRow} + pg_column_size(details)
        + coalesce(pg_column_size(trace), 0)), 0) as bytes
      from eval_traces where run_id = ${id}
    ) traces, (${bytesOfWidgets(sql, id)}) widgets, (
      select coalesce(sum(${bytesPerRow} + coalesce(pg_column_size(reason), 0)
        + pg_column_size(rubric_hits)), 0) as bytes
      from eval_judgements where run_id = ${id}
    ) judged
    on conflict (run_id) do update set revision = excluded.revision, trials = excluded.trials,
      traces = excluded.traces, bytes = excluded.bytes, trace_bytes = excluded.trace_bytes`;
}

const runsOfSuites: MeasuredRuns = { listChanged, measure };

/**
 * Sums up the sizes. Also counts uploaded files that wait for their report, and recordings, which
 * belong to no single run because several share them.
 */
async function sumUp(sql: Sql): Promise<void> {
  await sql`
    insert into organization_sizes (organization_id, bytes, counted_at)
    select id,
      coalesce((select sum(bytes) from run_sizes where run_sizes.organization_id = organizations.id), 0)
        + coalesce((select sum(bytes) from journey_run_sizes sizes
          where sizes.organization_id = organizations.id), 0)
        + coalesce((select sum(pg_column_size(content)) from artifacts
          where artifacts.organization_id = organizations.id), 0)
        + coalesce((select sum(pg_column_size(content)) from recordings
          where recordings.organization_id = organizations.id), 0),
      clock_timestamp()
    from organizations where id = any ((select visible_organizations())::text[]) order by id
    on conflict (organization_id) do update set bytes = excluded.bytes, counted_at = excluded.counted_at`;
}

/**
 * Removes what retention does not keep. Runs are locked first and checked again: a run is kept if
 * it has got a waiver, or a request for its judge or insights, since the plan was made.
 */
import type { Sql } from '../../../platform/database/database.ts';
import { expireRecordings, removeWidgets } from '../../evals/index.ts';
import { removeExcerpts } from '../../insights/index.ts';

export async function lockRemovable(
  sql: Sql,
  organizationId: string,
  runIds: readonly string[],
): Promise<string[]> {
  await sql`
    select from eval_runs where organization_id = ${organizationId} and id = any (${runIds as string[]})
    order by id for update`;
  const rows = await sql<{ id: string }[]>`
    select id from eval_runs
    where organization_id = ${organizationId} and id = any (${runIds as string[]})
      and status not in ('pending', 'running') and judge_status is distinct from 'pending'
      and not exists (
        select from insights
        where insights.kind = 'eval_run' and scope_id = eval_runs.id and insights.status = 'pending')
      and not exists (
        select from gate_waivers
        where gate_waivers.run_id = eval_runs.id and revoked_at is null
          and expires_at > statement_timestamp())`;
  return rows.map(({ id }) => id);
}

export async function removeRuns(
  sql: Sql,
  organizationId: string,
  runIds: readonly string[],
): Promise<{ runs: number; trials: number }> {
  const ids = await lockRemovable(sql, organizationId, runIds);
  const [row] = await sql<{ runs: number; trials: number }[]>`
    with gone as (delete from eval_runs where id = any (${ids}) returning id)
    select count(*)::integer as runs, coalesce(sum(trials), 0)::integer as trials
    from gone left join run_sizes on run_sizes.run_id = gone.id`;
  return row ?? { runs: 0, trials: 0 };
}

/**
 * Removes traces, widget observations, and quotations in insights. The trials keep their results
 * and details.
 */
export async function removeTraces(
  sql: Sql,
  organizationId: string,
  runIds: readonly string[],
): Promise<{ runs: number; traces: number }> {
  const ids = await lockRemovable(sql, organizationId, runIds);
  let traces = 0;
  for (const id of ids) {
    const [gone] = await Promise.all([
      sql`update eval_traces set trace = null where run_id = ${id} and trace is not null`,
      sql`
        update eval_iterations set has_trace = false, ended_in_project = null, ended_at = null
        where run_id = ${id} and (has_trace or ended_at is not null)`,
      expireRecordings(sql, id),
      sql`
        update eval_runs set traces_removed_at = statement_timestamp(), revision = revision + 1
        where id = ${id}`,
      ...removeWidgets(sql, id),
    ]);
    traces += gone.count;
  }
  await removeExcerpts(sql, 'eval_run', ids);
  return { runs: ids.length, traces };
}

export async function removeChatSessions(
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<number> {
  const gone = await sql`
    delete from chat_sessions where organization_id = ${organizationId} and id = any (${ids as string[]})`;
  return gone.count;
}

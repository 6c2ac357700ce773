/**
 * Returns what a run left out on purpose, according to its plan and the tool list of its first
 * trial. Computed only for ended runs, because an open run is read repeatedly.
 */
import { type LeftOut, leftOutOf } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import { findRunPlan } from './run-plans.ts';

export async function findLeftOut(
  sql: Sql,
  run: { readonly id: string; readonly organizationId: string; readonly completedAt: Date | null },
): Promise<LeftOut | undefined> {
  if (run.completedAt === null) return undefined;
  const [row] = await sql<{ states: boolean }[]>`
    select plan like '%"allowWrites":%' or plan like '%"switchedOff":%' as states
    from eval_run_plans where run_id = ${run.id}`;
  const plan = row?.states === true ? await findRunPlan(sql, run.id) : undefined;
  if (plan === undefined) return undefined;
  const { switchedOff, allowWrites } = plan;
  const surface = allowWrites === undefined ? undefined : await firstSurface(sql, run);
  const servers = plan.servers.map(({ id, name }) => ({ name, tools: listOf(surface?.[id]) }));
  return leftOutOf({ switchedOff, allowWrites, servers });
}

async function firstSurface(
  sql: Sql,
  run: { readonly id: string; readonly organizationId: string },
) {
  const [listed] = await sql<{ surface: string }[]>`
    select surface from tool_surfaces
    where organization_id = ${run.organizationId} and hash = (
      select tool_surface_hash from eval_iterations
      where run_id = ${run.id} and tool_surface_hash is not null order by ordinal limit 1)`;
  return listed && readRecord(listed.surface);
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

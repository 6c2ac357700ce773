/**
 * What a run left out on purpose: by its plan, and by the tools that most of its trials were listed. A plan that states
 * neither switched-off cases nor `allowWrites` is not read.
 */
import { type LeftOut, leftOutOf } from '@proofmark/domain';
import type { Sql } from '../database/database.ts';
import { readRecord } from '../database/read-document.ts';
import { findRunPlan } from './run-plans.ts';
import { listSurfacesOfRun } from './tool-surfaces.ts';

export async function findLeftOut(
  sql: Sql,
  run: { readonly id: string; readonly organizationId: string },
): Promise<LeftOut | undefined> {
  const [row] = await sql<{ states: boolean }[]>`
    select plan like '%"allowWrites":%' or plan like '%"switchedOff":%' as states
    from eval_run_plans where run_id = ${run.id}`;
  const plan = row?.states === true ? await findRunPlan(sql, run.id) : undefined;
  if (plan === undefined) return undefined;
  const { switchedOff, allowWrites } = plan;
  const [listed] = allowWrites === undefined ? [] : await listSurfacesOfRun(sql, run, 1);
  const surface = listed === undefined ? undefined : readRecord(listed.surface);
  const servers = plan.servers.map(({ id, name }) => ({ name, tools: arrayOf(surface?.[id]) }));
  return leftOutOf({ switchedOff, allowWrites, servers });
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

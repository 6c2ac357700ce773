/**
 * Tool surfaces of trials and sessions. Equal surfaces share one stored text, which is kept as long
 * as a run references it.
 */
import { isRecord, type Json } from '@proofmark/domain';
import type { Database, Sql } from '../../../platform/database/database.ts';
import { inEveryOrganization } from '../../../platform/database/in-every-organization.ts';
import { readRecord } from '../../../platform/database/read-document.ts';
import { countsForSuiteIn } from './counts-for-suite.ts';

export interface ToolSurfaceOfTrial {
  /** Null for a reported trial, or if no tools were listed. */
  readonly hash: string | null;
  readonly surface: string | null;
}

export async function findToolSurface(
  sql: Sql,
  projectId: string,
  runId: string,
  trialId: string,
): Promise<ToolSurfaceOfTrial | undefined> {
  const [row] = await sql<ToolSurfaceOfTrial[]>`
    select tool_surface_hash as hash, surface
    from eval_runs
      join eval_iterations on eval_iterations.run_id = ${runId}
      left join tool_surfaces on tool_surfaces.organization_id = eval_iterations.organization_id
        and tool_surfaces.hash = eval_iterations.tool_surface_hash
    where eval_runs.id = ${runId} and project_id = ${projectId} and eval_iterations.id = ${trialId}`;
  return row;
}

/**
 * Lists at most `most` surfaces of a run, ordered by the number of trials that were offered the
 * surface, highest first.
 */
export async function listSurfacesOfRun(
  sql: Sql,
  run: { readonly id: string; readonly organizationId: string },
  most: number,
): Promise<{ readonly hash: string; readonly surface: string }[]> {
  const rows = await sql<{ hash: string; surface: string }[]>`
    select hash, surface from (
      select tool_surface_hash as hash, count(*) as trials from eval_iterations
      where run_id = ${run.id} and tool_surface_hash is not null
      group by tool_surface_hash order by trials desc, hash limit ${most}
    ) seen join tool_surfaces using (hash)
    where organization_id = ${run.organizationId}
    order by trials desc, hash`;
  return [...rows];
}

/**
 * Inserts the surface, or marks it as just used, so that housekeeping does not delete it before the
 * caller references it.
 */
export async function holdSurface(
  sql: Sql,
  organizationId: string,
  { hash, text }: { readonly hash: string; readonly text: string },
): Promise<void> {
  await sql`
    insert into tool_surfaces (organization_id, hash, surface)
    values (${organizationId}, ${hash}, ${text})
    on conflict (organization_id, hash) do update set last_named_at = now()`;
}

/**
 * Returns the tool lists from the newest run over exactly these servers. Returns undefined without
 * such a run, or if a server was edited after that run's launch, because the entry may now mean a
 * different server.
 */
export async function findNewestSurface(
  sql: Sql,
  projectId: string,
  serverIds: readonly string[],
): Promise<Map<string, readonly Json[]> | undefined> {
  const wanted = [...serverIds].sort();
  // A surface lists its servers in the order of their ids, so it begins with the lowest id.
  const beginning = `{${JSON.stringify(wanted[0] ?? '')}:`;
  const rows = await sql<{ surface: string }[]>`
    select surface from (
      select named.organization_id, hash, created_at, id
        from eval_runs join run_tool_surfaces named on run_id = id
        where project_id = ${projectId} and ${countsForSuiteIn(sql)}
      union all
      select named.organization_id, hash, created_at, id
        from journey_runs join journey_run_tool_surfaces named on run_id = id where project_id = ${projectId}
    ) as runs join tool_surfaces using (organization_id, hash)
    where starts_with(surface, ${beginning})
      and runs.created_at >= (select max(updated_at) from servers where id = any (${wanted}))
    order by created_at desc, id desc limit ${mostLookedAt}`;
  for (const { surface } of rows) {
    const lists = Object.entries(readRecord(surface) ?? {});
    const isOfThese = lists.length === wanted.length && lists.every(([id]) => wanted.includes(id));
    if (isOfThese) return new Map(lists.map(([id, tools]) => [id, toolsIn(tools)]));
  }
  return undefined;
}

const mostLookedAt = 10;

function toolsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/**
 * Deletes surfaces that no run references. Locked rows are skipped, because a run that is about to
 * reference a surface locks the surface's row.
 */
export function deleteUnnamedSurfaces(database: Database): Promise<number> {
  return inEveryOrganization(
    database,
    (sql) => sql`
      delete from tool_surfaces using (
        select organization_id, hash from tool_surfaces
        where last_named_at < now() - interval '1 day' and not exists (
          select from run_tool_surfaces
          where run_tool_surfaces.organization_id = tool_surfaces.organization_id
            and run_tool_surfaces.hash = tool_surfaces.hash)
          and not exists (
          select from journey_run_tool_surfaces named
          where named.organization_id = tool_surfaces.organization_id and named.hash = tool_surfaces.hash)
        for update skip locked
      ) as unnamed
      where tool_surfaces.organization_id = unnamed.organization_id
        and tool_surfaces.hash = unnamed.hash`,
  );
}

/** The tools that trials were offered: one text for all trials that saw the same, kept as long as a run names it. */
import type { Database, Sql } from '../database/database.ts';
import { inEveryOrganization } from '../database/in-every-organization.ts';

export interface ToolSurfaceOfTrial {
  /** null when there was no list, or the trial was reported from outside. */
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
 * Those that no run names any more. A run that begins to name one holds the row and makes it young: a row that is held
 * is passed over, and one that was let go meanwhile is looked at once more as it is now.
 */
export function deleteUnnamedSurfaces(database: Database): Promise<number> {
  return inEveryOrganization(
    database,
    (sql) => sql`
      delete from tool_surfaces using (
        select organization_id, hash from tool_surfaces
        where named_at < now() - interval '1 day' and not exists (
          select from run_tool_surfaces
          where run_tool_surfaces.organization_id = tool_surfaces.organization_id
            and run_tool_surfaces.hash = tool_surfaces.hash)
        for update skip locked
      ) as unnamed
      where tool_surfaces.organization_id = unnamed.organization_id
        and tool_surfaces.hash = unnamed.hash`,
  );
}

/** What a run was given: its plan, and the tools of its servers as models saw them. */
import { overlaidTools, type RunPlan, type ServerOfRun, serversOfRun } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { listSurfacesOfRun } from '../../store/tool-surfaces.ts';
import { serverNamesOf, surfaceOfText } from './read-surface.ts';

export interface GivenToRun {
  readonly plan: RunPlan | undefined;
  readonly servers: readonly ServerOfRun[];
  /** Of what most trials were listed; null where no list was kept. */
  readonly hash: string | null;
}

/** A server that lists otherwise every time would have a surface for every trial. */
const mostSurfaces = 20;

export async function readRunPlan(
  sql: Sql,
  projectId: string,
  run: StoredRun,
): Promise<GivenToRun> {
  const plan = run.source === 'sdk' ? undefined : await findRunPlan(sql, run.id);
  const kept = await listSurfacesOfRun(sql, run, mostSurfaces);
  const surfaces = kept
    .map(({ surface }) => surfaceOfText(surface))
    .filter((one) => one !== undefined);
  const ids = [...new Set(surfaces.flatMap((surface) => Object.keys(surface)))];
  const names = await serverNamesOf(sql, projectId, plan, ids);
  const servers = serversOfRun(surfaces, (id) => names.get(id)).map((server) => ({
    ...server,
    tools: overlaidTools(plan?.overlay, server.name, server.tools),
  }));
  return { plan, servers, hash: kept[0]?.hash ?? null };
}

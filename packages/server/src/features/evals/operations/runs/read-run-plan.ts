import { overlaidTools, type RunPlan, type ServerOfRun, serversOfRun } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import type { StoredRun } from '../../store/eval-runs.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { listSurfacesOfRun } from '../../store/tool-surfaces.ts';
import { surfaceOfText } from './present-tools.ts';
import { serverNamesOf } from './read-server-names.ts';

export interface GivenToRun {
  readonly plan: RunPlan | undefined;
  readonly servers: readonly ServerOfRun[];
  /** The hash of the tool list that most trials used; null if no list was stored. */
  readonly hash: string | null;
}

/**
 * The maximum number of tool surfaces read per run. A server that keeps changing its tool list
 * could cause one surface per trial.
 */
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

/**
 * Returns the overlay of a launch (replacements for listed tools that models get). Rejects an
 * overlay that does not fit the servers' latest tool lists.
 */
import {
  canonicalJson,
  invalid,
  overlayProblem,
  type RunPlan,
  type SurfaceOverlay,
} from '@proofmark/domain';
import { sha256Hex } from '../../../../kernel/sha256-hex.ts';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { readListedTools } from '../../store/listed-tools.ts';
import { findNewestSurface } from '../../store/tool-surfaces.ts';

export async function overlayOfLaunch(
  sql: Sql,
  projectId: string,
  servers: RunPlan['servers'],
  overlay: SurfaceOverlay | undefined,
): Promise<Pick<RunPlan, 'overlay' | 'overlayHash'>> {
  if (overlay === undefined) return {};
  const ids = servers.map(({ id }) => id);
  const surface = await findNewestSurface(sql, projectId, ids);
  const names = await readListedTools(sql, projectId, ids);
  const known = servers.map(({ id, name }) => ({
    name,
    tools: surface?.get(id),
    toolNames: names.get(id),
  }));
  const problem = overlayProblem(overlay, known);
  if (problem !== undefined) refuse(invalid(`body.overlay.${problem.path}`, problem.message));
  return { overlay, overlayHash: sha256Hex(canonicalJson(overlay)) };
}

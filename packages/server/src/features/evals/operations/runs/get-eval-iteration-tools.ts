/**
 * Returns the tools that the trial's servers listed. The server names come from the run's plan; if
 * it cannot be read, the current names are used.
 */
import type { OutputOf } from '@proofmark/contract';
import { notFound, type RunPlan, visibleTools } from '@proofmark/domain';
import { type Action, refuse } from '../../../../platform/operations/action.ts';
import { findRunPlan } from '../../store/run-plans.ts';
import { findToolSurface } from '../../store/tool-surfaces.ts';
import { type StoredSurface, serverNamesOf, surfaceOfText } from './read-surface.ts';

type Tools = OutputOf<'getEvalIterationTools'>;

export const getEvalIterationTools: Action<'getEvalIterationTools'> = async (
  context,
  { params },
): Promise<Tools> =>
  context.tenant(async (sql) => {
    const projectId = context.project.id;
    const { hash, surface } =
      (await findToolSurface(sql, projectId, params.runId, params.iterationId)) ?? refuse(notFound);
    const listed = surfaceOfText(surface);
    if (hash === null || listed === undefined) {
      return refuse({
        code: 'NOT_FOUND',
        message: 'No list of tools was recorded for this trial.',
        details: { reason: 'TOOLS_NOT_AVAILABLE' },
      });
    }
    const plan = await findRunPlan(sql, params.runId);
    const names = await serverNamesOf(sql, projectId, plan, Object.keys(listed));
    const servers = Object.entries(listed).map(([serverId, tools]) => ({
      serverId,
      serverName: names.get(serverId) ?? null,
      tools,
      hiddenToolNames: hiddenNames(plan, tools),
    }));
    return { hash, servers, ...(plan?.overlay && { overlay: plan.overlay }) };
  });

function hiddenNames(plan: RunPlan | undefined, tools: StoredSurface[string]): string[] {
  const seen = new Set(visibleTools(plan?.client.config ?? {}, tools));
  return tools.filter((tool) => !seen.has(tool)).map(({ name }) => name);
}

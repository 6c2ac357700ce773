/**
 * The tools are given as the servers listed them. What a server was called is what the plan of the run says; a run
 * without a plan that can be read has the names of today.
 */
import type { OutputOf } from '@proofmark/contract';
import { isRecord, notFound, type RunPlan, visibleTools } from '@proofmark/domain';
import type { Sql } from '../../storage/database/database.ts';
import { readRecord } from '../../storage/database/read-document.ts';
import { findRunPlan } from '../../storage/eval-runs/run-plans.ts';
import { findToolSurface } from '../../storage/eval-runs/tool-surfaces.ts';
import { listNamedServers } from '../../storage/servers/server-names.ts';
import { type Action, refuse } from '../action.ts';

type Tools = OutputOf<'getEvalIterationTools'>;
type Surface = Readonly<Record<string, Tools['servers'][number]['tools']>>;

export const getEvalIterationTools: Action<'getEvalIterationTools'> = async (
  context,
  { params },
): Promise<Tools> =>
  context.tenant(async (sql) => {
    const projectId = context.project.id;
    const { hash, surface } =
      (await findToolSurface(sql, projectId, params.runId, params.iterationId)) ?? refuse(notFound);
    const listed = readSurface(surface);
    if (hash === null || listed === undefined) {
      return refuse({
        code: 'NOT_FOUND',
        message: 'No list of tools was recorded for this trial.',
        details: { reason: 'TOOLS_NOT_AVAILABLE' },
      });
    }
    const plan = await findRunPlan(sql, params.runId);
    const names = await serverNames(sql, projectId, plan, Object.keys(listed));
    const servers = Object.entries(listed).map(([serverId, tools]) => ({
      serverId,
      serverName: names.get(serverId) ?? null,
      tools,
      hiddenToolNames: hiddenNames(plan, tools),
    }));
    return { hash, servers };
  });

/** A list that cannot be read was not recorded for anybody. */
function readSurface(text: string | null): Surface | undefined {
  const listed = readRecord(text);
  const isOne =
    listed !== undefined &&
    Object.values(listed).every(
      (tools) =>
        Array.isArray(tools) &&
        tools.every((tool) => isRecord(tool) && typeof tool['name'] === 'string'),
    );
  return isOne ? (listed as Surface) : undefined;
}

async function serverNames(
  sql: Sql,
  projectId: string,
  plan: RunPlan | undefined,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const planned = new Map(plan?.servers.map(({ id, name }) => [id, name]));
  const others = serverIds.filter((id) => !planned.has(id));
  if (others.length === 0) return planned;
  const saved = await listNamedServers(sql, projectId, others);
  return new Map([...planned, ...saved.map(({ id, name }) => [id, name] as const)]);
}

function hiddenNames(plan: RunPlan | undefined, tools: Surface[string]): string[] {
  const seen = new Set(visibleTools(plan?.client.config ?? {}, tools));
  return tools.filter((tool) => !seen.has(tool)).map(({ name }) => name);
}

import type { RunPlan } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { listNamedServers } from '../../../servers/index.ts';

/** Uses the current names if the plan cannot be read. */
export async function serverNamesOf(
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

/** Reads the tools that servers listed during a run, and the names of the servers. */

import type { OutputOf } from '@proofmark/contract';
import { isRecord, type RunPlan } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { readRecord } from '../../../../platform/database/read-document.ts';
import { listNamedServers } from '../../../servers/index.ts';

export type StoredSurface = Readonly<
  Record<string, OutputOf<'getEvalIterationTools'>['servers'][number]['tools']>
>;

/** Returns undefined for a tool list that cannot be read, as if none had been recorded. */
export function surfaceOfText(text: string | null): StoredSurface | undefined {
  const listed = readRecord(text);
  const isOne =
    listed !== undefined &&
    Object.values(listed).every(
      (tools) =>
        Array.isArray(tools) &&
        tools.every((tool) => isRecord(tool) && typeof tool['name'] === 'string'),
    );
  return isOne ? (listed as StoredSurface) : undefined;
}

/**
 * Returns the server names from the run's plan, or the current names if the plan cannot be read.
 */
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

/**
 * The latest listed tool names of each server, from a trial or from another request. An edit of the
 * server invalidates them, because its entry may now refer to a different server. Lists from trials
 * take precedence: trials declare more capabilities, and some servers then list more tools.
 */
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument, readRecord } from '../../../platform/database/read-document.ts';

/**
 * Stores tool names by server id. Rows are written in the order of the ids, so that two writers
 * cannot deadlock.
 */
export async function rememberListedTools(
  sql: Sql,
  lists: ReadonlyMap<string, readonly string[]>,
  byTrial: boolean,
): Promise<void> {
  const inOrder = [...lists].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [serverId, tools] of inOrder) {
    // Inserts only if the server still exists. The lock prevents its deletion meanwhile.
    await sql`
      insert into listed_tools (organization_id, server_id, tools, by_trial)
      select organization_id, id, ${JSON.stringify(tools)}, ${byTrial} from servers where id = ${serverId} for key share
      on conflict (server_id) do update set tools = excluded.tools, by_trial = excluded.by_trial, listed_at = now()
      where excluded.by_trial or not listed_tools.by_trial
        or listed_tools.listed_at < (select updated_at from servers where id = excluded.server_id)`;
  }
}

export async function readListedTools(
  sql: Sql,
  projectId: string,
  serverIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await sql<{ serverId: string; tools: string }[]>`
    select server_id, tools from listed_tools join servers on servers.id = server_id
    where project_id = ${projectId} and server_id = any (${serverIds as string[]})
      and listed_at >= updated_at`;
  return new Map(
    rows.flatMap(({ serverId, tools }) => {
      const names = readDocument(tools);
      return isNames(names) ? [[serverId, new Set(names)]] : [];
    }),
  );
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

export async function readToolsOfRun(
  sql: Sql,
  runId: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await sql<{ surface: string }[]>`
    select surface from run_tool_surfaces join tool_surfaces using (organization_id, hash)
    where run_id = ${runId}`;
  const lists = new Map<string, Set<string>>();
  for (const { surface } of rows) {
    for (const [serverId, tools] of namesIn(surface)) {
      const list = lists.get(serverId) ?? new Set();
      for (const name of tools) list.add(name);
      lists.set(serverId, list);
    }
  }
  return lists;
}

/**
 * Reads a stored tool surface, which maps server ids to tools. An unreadable surface gives an empty
 * map.
 */
export function namesIn(surface: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const [serverId, tools] of Object.entries(readRecord(surface) ?? {})) {
    if (!Array.isArray(tools)) continue;
    names.set(
      serverId,
      tools.flatMap((tool: { name?: unknown } | null) =>
        typeof tool?.name === 'string' ? [tool.name] : [],
      ),
    );
  }
  return names;
}

/** The known listings of servers, and whether a named tool is in them. */
import { skillTools } from '../assertions/match-turns.ts';
import type { NamedTool } from '../assertions/transcript.ts';
import { likelyMeant } from '../kernel/likely-meant.ts';

export interface ListedServer {
  readonly name: string;
  /** The names of the server's tools; undefined if no listing is known. */
  readonly tools: ReadonlySet<string> | undefined;
}

/** The servers of a run or a suite; undefined if they are unknown. */
export type ListedServers = readonly ListedServer[] | undefined;

/**
 * Whether the listings of all servers that may be meant are known and lack the tool. Skill tools
 * come from the client, so no server has to list them.
 */
export function isNotListed({ toolName, serverName }: NamedTool, servers: ListedServers): boolean {
  if (servers === undefined || (skillTools as readonly string[]).includes(toolName)) return false;
  const asked = servers.filter(({ name }) => serverName === undefined || name === serverName);
  return asked.every(({ tools }) => tools?.has(toolName) === false);
}

/**
 * Whether a call of the case names a tool that its server does not list. Returns false if the
 * server is not found by this name, or if its listing is unknown.
 */
export function isKnownNotToList(
  { toolName, serverName }: { readonly toolName: string; readonly serverName: string },
  servers: ListedServers,
): boolean {
  const server = servers?.find(({ name }) => name === serverName);
  return server?.tools?.has(toolName) === false;
}

/** Returns the end of a sentence: a full stop, or which listed tool was probably meant. */
export function meantTool({ toolName, serverName }: NamedTool, servers: ListedServers): string {
  const asked = servers?.filter(({ name }) => serverName === undefined || name === serverName);
  const listed = asked?.flatMap(({ tools }) => [...(tools ?? [])]) ?? [];
  const meant = likelyMeant(toolName, listed);
  return meant === undefined ? '.' : `; did you mean ${JSON.stringify(meant)}?`;
}

/** Whether the known listings of all servers are empty. */
export function listNoTools(servers: ListedServers): boolean {
  return servers?.every(({ tools }) => tools?.size === 0) === true;
}

/**
 * Returns names that no server lists, each once. Returns none if a server's listing is unknown,
 * since that server may have the tools.
 */
export function unlistedNames(
  allowWrites: readonly string[],
  servers: ListedServers,
): readonly string[] {
  if (servers === undefined || servers.length === 0) return [];
  return [...new Set(allowWrites)].filter((toolName) => isNotListed({ toolName }, servers));
}

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
 * Returns whether the listings of all possible servers are known and lack the tool. Skill tools
 * come from the client, so no server has to list them.
 */
export function isNotListed({ toolName, serverName }: NamedTool, servers: ListedServers): boolean {
  if (servers === undefined || (skillTools as readonly string[]).includes(toolName)) return false;
  const asked = servers.filter(({ name }) => serverName === undefined || name === serverName);
  return asked.every(({ tools }) => tools?.has(toolName) === false);
}

/** Returns false if no server has this name, or if the server's listing is unknown. */
export function isKnownNotToList(
  { toolName, serverName }: { readonly toolName: string; readonly serverName: string },
  servers: ListedServers,
): boolean {
  const server = servers?.find(({ name }) => name === serverName);
  return server?.tools?.has(toolName) === false;
}

/** Returns the end of a sentence: the listed tool that was probably meant, or only a full stop. */
export function meantTool({ toolName, serverName }: NamedTool, servers: ListedServers): string {
  const asked = servers?.filter(({ name }) => serverName === undefined || name === serverName);
  const listed = asked?.flatMap(({ tools }) => [...(tools ?? [])]) ?? [];
  const meant = likelyMeant(toolName, listed);
  return meant === undefined ? '.' : `; did you mean ${JSON.stringify(meant)}?`;
}

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

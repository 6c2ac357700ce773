/** What servers were seen to list, and whether a tool that is named is among it. */
import { skillTools } from '../assertions/match-turns.ts';
import type { NamedTool } from '../assertions/transcript.ts';

export interface ListedServer {
  readonly name: string;
  /** The names of its tools; undefined where nobody has seen a list of them. */
  readonly tools: ReadonlySet<string> | undefined;
}

/** The servers of a run or a suite; undefined where it is not known which they are. */
export type ListedServers = readonly ListedServer[] | undefined;

/** Only where every server that could have the tool has been seen without it. Tools of the host are no server's. */
export function isNotListed({ toolName, serverName }: NamedTool, servers: ListedServers): boolean {
  if (servers === undefined || (skillTools as readonly string[]).includes(toolName)) return false;
  const asked = servers.filter(({ name }) => serverName === undefined || name === serverName);
  return asked.every(({ tools }) => tools?.has(toolName) === false);
}

/** Of a call that the case makes itself; a server that is named otherwise here, or never listed its tools, says nothing. */
export function isKnownNotToList(
  { toolName, serverName }: { readonly toolName: string; readonly serverName: string },
  servers: ListedServers,
): boolean {
  const server = servers?.find(({ name }) => name === serverName);
  return server?.tools?.has(toolName) === false;
}

/** Whether all servers have been seen without a single tool. */
export function listNoTools(servers: ListedServers): boolean {
  return servers?.every(({ tools }) => tools?.size === 0) === true;
}

/** Each once; nothing where a server has not been seen to list its tools, since it may have them all. */
export function unlistedNames(
  allowWrites: readonly string[],
  servers: ListedServers,
): readonly string[] {
  if (servers === undefined || servers.length === 0) return [];
  return [...new Set(allowWrites)].filter((toolName) => isNotListed({ toolName }, servers));
}

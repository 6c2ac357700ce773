/** Finds the listings of called tools. */
import { showTool } from './show-tool.ts';
import type { ListedTool, ToolCall } from './transcript.ts';

/**
 * Returns all listed tools that a call may belong to; there are several if the call's server was
 * not recorded. A tool listed without a server may belong to any server.
 */
export function listedFor(
  { toolName, serverName }: Pick<ToolCall, 'toolName' | 'serverName'>,
  listed: readonly ListedTool[],
): readonly ListedTool[] {
  return listed.filter(
    (tool) =>
      tool.name === toolName &&
      (serverName === undefined || tool.serverName === undefined || tool.serverName === serverName),
  );
}

export function showListed({ name, serverName }: ListedTool): string {
  return showTool({ toolName: name, serverName });
}

export const listingNotCaptured = 'The list of tools was not captured.';

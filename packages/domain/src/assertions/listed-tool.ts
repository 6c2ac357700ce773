/** What servers listed about the tools that were called. */
import { showTool } from './show-tool.ts';
import type { ListedTool, ToolCall } from './transcript.ts';

/**
 * All listed tools that a call may have been of: more than one where nobody recorded whose tool it was. A tool listed
 * without its server may be any server's.
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

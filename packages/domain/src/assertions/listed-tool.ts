import { likelyMeant } from '../kernel/likely-meant.ts';
import { skillTools } from './match-turns.ts';
import { showTool } from './show-tool.ts';
import type { ListedTool, NamedTool } from './transcript.ts';

/**
 * Returns all listed tools to which a call may belong: several if the call's server was not
 * recorded. A tool listed without a server may belong to any server.
 */
export function listedFor(
  { toolName, serverName }: NamedTool,
  listed: readonly ListedTool[],
): readonly ListedTool[] {
  return listed.filter(
    (tool) =>
      tool.name === toolName &&
      (serverName === undefined || tool.serverName === undefined || tool.serverName === serverName),
  );
}

/** Returns a sentence with a leading space if no server lists the tool, otherwise an empty text. */
export function unlistedSentence(
  tool: NamedTool,
  listed: readonly ListedTool[] | undefined,
): string {
  const { toolName } = tool;
  if (listed === undefined || listed.length === 0) return '';
  if (listedFor(tool, listed).length > 0) return '';
  if ((skillTools as readonly string[]).includes(toolName)) return '';
  const meant = likelyMeant(
    toolName,
    listed.map(({ name }) => name),
  );
  return meant === undefined
    ? ' No server lists this tool.'
    : ` No server lists this tool; did you mean ${JSON.stringify(meant)}?`;
}

export function showListed({ name, serverName }: ListedTool): string {
  return showTool({ toolName: name, serverName });
}

export const listingNotCaptured = 'The list of tools was not captured.';

import { showValue } from './redact.ts';
import type { NamedTool } from './transcript.ts';

/** Formats a tool for a sentence: "search", or "search" of "Shop" if the server is given. */
export function showTool({ toolName, serverName }: NamedTool): string {
  const shown = showValue(toolName);
  return serverName === undefined ? shown : `${shown} of ${showValue(serverName)}`;
}

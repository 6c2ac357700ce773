import { showValue } from './redact.ts';
import type { NamedTool } from './transcript.ts';

export function showTool({ toolName, serverName }: NamedTool): string {
  const shown = showValue(toolName);
  return serverName === undefined ? shown : `${shown} of ${showValue(serverName)}`;
}

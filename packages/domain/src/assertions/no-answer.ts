/**
 * Recognizes errors that are no failure of the called tool: the server's process ended, the server
 * sent no valid MCP response, or the server does not know the tool.
 */
import type { ToolError } from './transcript.ts';

export function isUnanswered({ kind, message }: Pick<ToolError, 'kind' | 'message'>): boolean {
  if (kind !== 'protocol-error' || message === undefined) return false;
  return noAnswers.some((pattern) => pattern.test(message));
}

/** The beginnings of this service's own messages for calls that got no answer. */
const noAnswers: readonly RegExp[] = [
  /^The process of the server ended \(/,
  /^The server answered with HTTP 5\d\d\./,
  /^The server sent an answer that is not valid MCP\./,
  /^The server answered with something that is neither JSON nor a stream of events\./,
];

/** Whether the server reports that it has no tool of this name, in the wording of the MCP SDKs. */
export function saysUnknownTool(message: string, toolName: string): boolean {
  const text = message.slice(0, longestRead);
  const at = toolName === '' ? -1 : text.indexOf(toolName);
  if (at < 0) return false;
  const before = text.slice(0, at);
  const after = text.slice(at + toolName.length);
  if (unknownBefore.test(before)) return !/^[\w-]/.test(after);
  return toolBefore.test(before) && unknownAfter.test(after);
}

const longestRead = 2_000;
const unknownBefore = /\b(?:unknown|no such|invalid) tool(?: named)?:? {0,2}["'`]?$/i;
const toolBefore = /\btool(?: named)?:? {0,2}["'`]?$/i;
const unknownAfter =
  /^["'`]? {0,2}(?:is |was |could )?(?:not (?:be )?(?:found|known|registered)|unknown|does not exist)\b/i;

/**
 * Tools that clients must hide, because their `x-mcp-header` is invalid. The header has a meaning
 * only over HTTP, and only since the stateless protocol. There, such a tool is in no list, is
 * offered to no model and is never called.
 */
import type { NamedTool } from '../assertions/transcript.ts';
import { isModernRevision } from '../doctor/protocol-revisions.ts';
import type { Json } from '../kernel/json.ts';
import { count } from '../words/sentence.ts';
import { type HeaderFaultReason, headerFaults } from './header-parameters.ts';

export interface ExcludedTool {
  readonly toolName: string;
  readonly reason: HeaderFaultReason;
  /** A JSON pointer into the tool. */
  readonly path: string;
  readonly message: string;
}

export interface ExcludedToolOfServer extends ExcludedTool {
  readonly serverName: string;
}

export interface SpokenOver {
  readonly protocolVersion: string;
  readonly transport: string;
}

export function mustExclude({ protocolVersion, transport }: SpokenOver): boolean {
  return transport === 'streamable-http' && isModernRevision(protocolVersion);
}

/** Keeps the order. Only the first fault of a tool is returned. */
export function excludeTools(tools: readonly Json[]): {
  readonly kept: readonly Json[];
  readonly excluded: readonly ExcludedTool[];
} {
  const excluded: ExcludedTool[] = [];
  const kept = tools.filter(({ name, inputSchema }) => {
    const [fault] = headerFaults(inputSchema);
    if (fault === undefined) return true;
    excluded.push({
      toolName: String(name),
      reason: fault.reason,
      path: `/inputSchema${fault.path}`.slice(0, longestPath),
      message: headerMessage(fault),
    });
    return false;
  });
  return { kept: excluded.length === 0 ? tools : kept, excluded };
}

export function headerMessage({ problem }: { readonly problem: string }): string {
  return `x-mcp-header: ${problem}.`;
}

/** Why a case that needs this tool cannot pass. The name is a JSON string, as in other causes. */
export function exclusionSentence({
  toolName,
  message,
}: Pick<ExcludedTool, 'toolName' | 'message'>): string {
  return `The tool ${JSON.stringify(toolName)} is excluded, as clients must do over HTTP: ${message}`;
}

export const saysExcluded =
  /^The tool "(?:[^"\\]|\\.)*" is excluded, as clients must do over HTTP: /;

/** Returns the sentence about a wanted tool; undefined if it is not excluded. */
export function exclusionOf(
  excluded: readonly ExcludedToolOfServer[],
  { toolName, serverName }: NamedTool,
): string | undefined {
  const found = excluded.find(
    (one) =>
      one.toolName === toolName && (serverName === undefined || one.serverName === serverName),
  );
  return found && exclusionSentence(found);
}

export function excludedCount(excluded: readonly unknown[]): string {
  return `${count(excluded.length, 'tool')} ${excluded.length === 1 ? 'is' : 'are'} excluded`;
}

const longestPath = 1_000;

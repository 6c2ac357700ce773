/**
 * Returns the reason why the policy of a run refuses a call; undefined if it may be made. The
 * caller must not make a refused call: it is recorded as refused here, whatever the end of the
 * trial. The server's own listing decides, never that of a mutant or an overlay.
 */
import { refuseByPolicy } from '@proofmark/domain';
import type { TurnParts } from './turn-parts.ts';

/** The most refused calls of a trial that are recorded individually. */
export const mostRefusedCalls = 100;

export function policyRefusalOf(
  { plan, watcher, offeredTools, log }: TurnParts,
  {
    serverId,
    serverName,
    toolName,
  }: { readonly serverId: string; readonly serverName: string; readonly toolName: string },
): string | undefined {
  // A person who is present is asked instead.
  const requireToolApproval =
    watcher === undefined ? plan.client.config.requireToolApproval : undefined;
  const { toolPolicy, allowWrites } = plan;
  const tool = offeredTools.listedByServer(serverId, toolName);
  const rules = { toolPolicy, allowWrites, requireToolApproval };
  const refused = refuseByPolicy({ toolName, tool }, rules);
  if (refused !== undefined && log.refusedCalls.length < mostRefusedCalls) {
    log.refusedCalls.push({ serverName, toolName: keptName(toolName), by: refused.by });
  }
  return refused?.reason;
}

const longestName = 256;

/**
 * Returns a name that can be stored: its author may have used characters that PostgreSQL cannot
 * read from JSON.
 */
function keptName(toolName: string): string {
  return toolName.slice(0, longestName).toWellFormed().replaceAll('\0', '\ufffd');
}

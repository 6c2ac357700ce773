/**
 * Why the policy of a run refuses a call; nothing where the call may be made. Whoever asks must not make a refused call:
 * it is kept as refused here, whatever becomes of the trial. What the server itself lists decides, never what a mutant or
 * an overlay makes of it.
 */
import { refuseByPolicy } from '@proofmark/domain';
import type { TurnParts } from './turn-parts.ts';

/** Beyond this, further refused calls of a trial are not kept one by one. */
export const mostRefusedCalls = 100;

export function policyRefusalOf(
  { plan, watcher, offeredTools, log }: TurnParts,
  {
    serverId,
    serverName,
    toolName,
  }: { readonly serverId: string; readonly serverName: string; readonly toolName: string },
): string | undefined {
  // Where somebody is there, they are asked.
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

/** Whoever chose the name may have put into it what PostgreSQL cannot read out of JSON. */
function keptName(toolName: string): string {
  return toolName.slice(0, longestName).toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Returns why the run's policy refuses a call; undefined if the call may be made. A refused call is
 * recorded here, so the caller must not make it. The decision uses the tool as its server listed
 * it, not the copy that the run changed for the model.
 */
import { refuseByPolicy } from '@proofmark/domain';
import type { TurnParts } from './turn-parts.ts';

export const mostRefusedCalls = 100;

export function policyRefusalOf(
  { plan, watcher, offeredTools, log }: TurnParts,
  {
    serverId,
    serverName,
    toolName,
  }: { readonly serverId: string; readonly serverName: string; readonly toolName: string },
): string | undefined {
  // If a person watches, the person is asked for approval instead.
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

/** PostgreSQL rejects some characters in JSON, such as U+0000. So they are replaced. */
function keptName(toolName: string): string {
  return toolName.slice(0, longestName).toWellFormed().replaceAll('\0', '\ufffd');
}

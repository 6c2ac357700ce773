import { refuseByPolicy } from '@proofmark/domain';
import type { TurnParts } from './turn-parts.ts';

export function policyRefusalOf(
  { plan, watcher }: TurnParts,
  call: Parameters<typeof refuseByPolicy>[0],
): string | undefined {
  // Where somebody is there, they are asked.
  const requireToolApproval =
    watcher === undefined ? plan.client.config.requireToolApproval : undefined;
  return refuseByPolicy(call, { toolPolicy: plan.toolPolicy, requireToolApproval });
}

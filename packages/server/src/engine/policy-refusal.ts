import { refuseByPolicy } from '@proofmark/domain';
import type { TurnContext } from './trial-context.ts';

export function policyRefusalOf(
  { plan, watcher }: TurnContext,
  call: Parameters<typeof refuseByPolicy>[0],
): string | undefined {
  // Where somebody is there, they are asked.
  const requireToolApproval =
    watcher === undefined ? plan.client.config.requireToolApproval : undefined;
  return refuseByPolicy(call, { toolPolicy: plan.toolPolicy, requireToolApproval });
}

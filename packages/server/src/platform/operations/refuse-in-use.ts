import { refuse } from './action.ts';

export function refuseInUse(
  what: 'plugin' | 'server group' | 'skill',
  environmentIds: readonly string[],
): void {
  if (environmentIds.length === 0) return;
  refuse({
    code: 'CONFLICT',
    message: `An environment uses this ${what}; change or archive the environment first.`,
    details: { reason: 'IN_USE', environmentIds },
  });
}

import { invalid, type Refusal } from '../kernel/refusal.ts';

export interface RunTarget {
  readonly environmentId?: string | undefined;
  readonly namedHostId?: string | undefined;
}

export type ChosenTargets =
  | { readonly targets: readonly { readonly target: RunTarget; readonly path: string }[] }
  | { readonly refusal: Refusal };

export function chooseTargets(named: readonly RunTarget[]): ChosenTargets {
  const kinds = new Set(named.map(kindOf));
  if (kinds.size > 1) {
    const message = 'The targets of a run group must be all environments or all clients.';
    return { refusal: invalid('body.targets', message, { reason: 'HETEROGENEOUS_TARGETS' }) };
  }
  const chosen = new Map<string, { target: RunTarget; path: string }>();
  for (const [index, target] of named.entries()) {
    const id = idOfTarget(target);
    if (chosen.has(id)) continue;
    chosen.set(id, { target, path: `body.targets[${index}].${kindOf(target)}` });
  }
  return { targets: [...chosen.values()] };
}

export function idOfTarget({ environmentId, namedHostId }: RunTarget): string {
  return environmentId ?? namedHostId ?? '';
}

export function refuseUnattached(
  targets: readonly { readonly target: RunTarget; readonly path: string }[],
  attached: { readonly environmentIds: readonly string[]; readonly hostIds: readonly string[] },
): Refusal | undefined {
  for (const { target, path } of targets) {
    if (kindOf(target) === 'environmentId') {
      if (attached.environmentIds.includes(idOfTarget(target))) continue;
      const message =
        'This environment is not attached to the suite; attach it, or name one that is.';
      const { environmentIds } = attached;
      return invalid(path, message, { reason: 'ENVIRONMENT_NOT_ATTACHED', environmentIds });
    }
    if (attached.hostIds.includes(idOfTarget(target))) continue;
    const message = 'This client is not attached to the suite; attach it, or name one that is.';
    const { hostIds } = attached;
    return invalid(path, message, { reason: 'HOST_NOT_ATTACHED', hostIds });
  }
  return undefined;
}

export function outcomeOfGroup(
  startedCount: number,
  failedCount: number,
): 'started' | 'partial' | 'failed' {
  if (failedCount === 0) return 'started';
  return startedCount === 0 ? 'failed' : 'partial';
}

function kindOf({ environmentId }: RunTarget): 'environmentId' | 'namedHostId' {
  return environmentId === undefined ? 'namedHostId' : 'environmentId';
}

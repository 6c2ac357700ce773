/**
 * A finding (a problem tracked over time) across the waves of a project or the windows of a
 * scenario. Each wave or window counts once, even if it is mined again. An older wave or window is
 * counted but does not change the status. Only a wave or window that could have shown the problem
 * resolves it.
 */
export const findingStatuses = ['new', 'recurring', 'regressed', 'resolved'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

export interface FindingState {
  readonly status: FindingStatus;
  readonly occurrenceCount: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly lastSeenIn: string;
  readonly resolvedAt: number | null;
}

export interface MinedScope {
  readonly id: string;
  /**
   * The time by which waves and windows are ordered: for a wave, the creation time of its newest
   * run; for a window, its end.
   */
  readonly at: number;
}

/** `quiet`: the problem could have occurred but did not. */
export type SeenInScope = 'fires' | 'quiet' | 'notMeasured';

/**
 * Returns the new state of a finding. Undefined if the finding was unknown and this wave or window
 * (`scope`) does not show it.
 */
export function stepOfFinding(
  before: FindingState | undefined,
  scope: MinedScope,
  seen: SeenInScope,
  wasCounted = false,
): FindingState | undefined {
  if (seen === 'fires') return fire(before, scope, wasCounted);
  if (before === undefined || seen === 'notMeasured') return before;
  if (before.status === 'resolved' || isOlder(before, scope)) return before;
  return { ...before, status: 'resolved', resolvedAt: scope.at };
}

function fire(
  before: FindingState | undefined,
  scope: MinedScope,
  wasCounted: boolean,
): FindingState {
  if (before === undefined) {
    return {
      status: 'new',
      occurrenceCount: 1,
      firstSeenAt: scope.at,
      lastSeenAt: scope.at,
      lastSeenIn: scope.id,
      resolvedAt: null,
    };
  }
  const isSameScope = before.lastSeenIn === scope.id;
  const counted = {
    ...before,
    occurrenceCount: before.occurrenceCount + (wasCounted || isSameScope ? 0 : 1),
    firstSeenAt: Math.min(before.firstSeenAt, scope.at),
  };
  if (isSameScope && before.status !== 'resolved') return counted;
  const isLast = scope.at >= before.lastSeenAt;
  const seen = isLast ? { lastSeenAt: scope.at, lastSeenIn: scope.id } : {};
  if (isOlder(before, scope)) return { ...counted, ...seen };
  const status = before.status === 'resolved' ? 'regressed' : 'recurring';
  return { ...counted, ...seen, status, resolvedAt: null };
}

function isOlder({ lastSeenAt, resolvedAt }: FindingState, { at }: MinedScope): boolean {
  return at < Math.max(lastSeenAt, resolvedAt ?? lastSeenAt);
}

/**
 * Returns the id of a finding. It depends only on the problem and its project or scenario, so it
 * stays the same if rows are created again.
 */
export function findingIdOf(
  ownerId: string,
  fingerprint: string,
  hashOf: (parts: readonly string[]) => string,
): string {
  return `fnd_${hashOf([ownerId, fingerprint]).slice(0, 32)}`;
}

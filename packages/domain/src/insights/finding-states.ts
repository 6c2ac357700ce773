/**
 * A finding over the waves of a project, or over the windows of a scenario: one row for each
 * problem. It counts waves or windows, never sessions and never a second mining of the same one. A
 * wave or window older than the last known one adds to the count and changes no status. Only one
 * that could have shown the problem resolves it.
 */
export const findingStatuses = ['new', 'recurring', 'regressed', 'resolved'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

export interface FindingState {
  readonly status: FindingStatus;
  readonly occurrenceCount: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** The id of the wave or the window. */
  readonly lastSeenIn: string;
  readonly resolvedAt: number | null;
}

/** A wave or a window. */
export interface MinedScope {
  readonly id: string;
  /** For a wave, the creation time of its newest run; for a window, its end. */
  readonly at: number;
}

/** `quiet`: the problem could have occurred there and did not. */
export type SeenInScope = 'fires' | 'quiet' | 'notMeasured';

/** Returns undefined if there is neither a known finding nor a new one. */
export function stepOfFinding(
  before: FindingState | undefined,
  scope: MinedScope,
  seen: SeenInScope,
  /** Whether an earlier mining of this scope counted it. */
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
 * Returns the same id for the same problem of a project or a scenario, even if rows are created
 * again.
 */
export function findingIdOf(
  ownerId: string,
  fingerprint: string,
  hashOf: (parts: readonly string[]) => string,
): string {
  return `fnd_${hashOf([ownerId, fingerprint]).slice(0, 32)}`;
}

/**
 * A finding over waves of a project, or over windows of a scenario: one row for a problem. It counts waves or windows,
 * never sessions and never minings of the same one. One that is older than what is known of the finding adds to its count
 * and changes no status. Only one that could have seen the problem resolves it.
 */
export const findingStatuses = ['new', 'recurring', 'regressed', 'resolved'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

export interface FindingState {
  readonly status: FindingStatus;
  readonly occurrenceCount: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  /** The wave or the window. */
  readonly lastSeenIn: string;
  readonly resolvedAt: number | null;
}

/** A wave or a window. */
export interface MinedScope {
  readonly id: string;
  /** Of a wave: when its newest run was made; of a window: when it ends. */
  readonly at: number;
}

/** `quiet`: it could have been seen there and was not. */
export type SeenInScope = 'fires' | 'quiet' | 'notMeasured';

/** Nothing where nothing is known and nothing was seen. */
export function stepOfFinding(
  before: FindingState | undefined,
  scope: MinedScope,
  seen: SeenInScope,
  /** Whether an earlier mining of it counted it. */
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

/** The same problem of a project, or of a scenario, has the same id, also where the rows are made anew. */
export function findingIdOf(
  ownerId: string,
  fingerprint: string,
  hashOf: (parts: readonly string[]) => string,
): string {
  return `fnd_${hashOf([ownerId, fingerprint]).slice(0, 32)}`;
}

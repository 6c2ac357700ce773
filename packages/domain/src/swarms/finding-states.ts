/**
 * A finding over waves: one row for a problem of a project. It counts waves, never sessions and never minings of the same
 * wave. A wave that is older than what is known of the finding adds to its count and changes no status. Only a wave that
 * could have seen the problem resolves it.
 */
export const findingStatuses = ['new', 'recurring', 'regressed', 'resolved'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

export interface FindingState {
  readonly status: FindingStatus;
  readonly occurrenceCount: number;
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly lastSeenWaveId: string;
  readonly resolvedAt: number | null;
}

export interface MinedWave {
  readonly id: string;
  /** When its newest run was made. */
  readonly at: number;
}

/** `quiet`: the wave could have seen it and did not. */
export type SeenInWave = 'fires' | 'quiet' | 'notMeasured';

/** Nothing where nothing is known and nothing was seen. */
export function stepOfFinding(
  before: FindingState | undefined,
  wave: MinedWave,
  seen: SeenInWave,
  /** Whether an earlier mining of this wave counted it. */
  wasCounted = false,
): FindingState | undefined {
  if (seen === 'fires') return fire(before, wave, wasCounted);
  if (before === undefined || seen === 'notMeasured') return before;
  if (before.status === 'resolved' || isOlder(before, wave)) return before;
  return { ...before, status: 'resolved', resolvedAt: wave.at };
}

function fire(
  before: FindingState | undefined,
  wave: MinedWave,
  wasCounted: boolean,
): FindingState {
  if (before === undefined) {
    return {
      ...{ status: 'new', occurrenceCount: 1, firstSeenAt: wave.at, lastSeenAt: wave.at },
      ...{ lastSeenWaveId: wave.id, resolvedAt: null },
    };
  }
  const isSameWave = before.lastSeenWaveId === wave.id;
  const counted = {
    ...before,
    occurrenceCount: before.occurrenceCount + (wasCounted || isSameWave ? 0 : 1),
    firstSeenAt: Math.min(before.firstSeenAt, wave.at),
  };
  if (isSameWave && before.status !== 'resolved') return counted;
  const isLast = wave.at >= before.lastSeenAt;
  const seen = isLast ? { lastSeenAt: wave.at, lastSeenWaveId: wave.id } : {};
  if (isOlder(before, wave)) return { ...counted, ...seen };
  const status = before.status === 'resolved' ? 'regressed' : 'recurring';
  return { ...counted, ...seen, status, resolvedAt: null };
}

function isOlder({ lastSeenAt, resolvedAt }: FindingState, { at }: MinedWave): boolean {
  return at < Math.max(lastSeenAt, resolvedAt ?? lastSeenAt);
}

/** The same problem of a project has the same id, also where the rows are made anew. */
export function findingIdOf(
  projectId: string,
  fingerprint: string,
  hashOf: (parts: readonly string[]) => string,
): string {
  return `fnd_${hashOf([projectId, fingerprint]).slice(0, 32)}`;
}

/**
 * Retention rules. Data beyond a rule's age or number is removed. Runs and traces are counted per
 * suite, so that a busy suite does not displace the history of a quiet one. Replays and runs with
 * changed tools (an overlay) are counted separately from other runs. Chat sessions are counted per
 * person.
 */
export const retainedKinds = ['runs', 'traces', 'sessions'] as const;
export type RetainedKind = (typeof retainedKinds)[number];

/** The kinds in words, and by what the number of a rule counts. */
export const retainedKindWords: Readonly<
  Record<RetainedKind, { readonly name: string; readonly countedBy: string }>
> = {
  runs: { name: 'Runs, with their trials', countedBy: 'of each suite' },
  traces: { name: 'Traces of trials', countedBy: 'of each suite' },
  sessions: { name: 'Conversations of the playground', countedBy: 'of each person' },
};

/** Null means no limit. */
export interface KeepRule {
  readonly days: number | null;
  readonly count: number | null;
}

export type Retention = Readonly<Record<RetainedKind, KeepRule>>;

export const keepsAll: KeepRule = { days: null, count: null };
export const keepEverything: Retention = { runs: keepsAll, traces: keepsAll, sessions: keepsAll };

/** Reads `90d`, `50`, `90d/50` or `none`; returns undefined for anything else. */
export function parseKeepRule(text: string): KeepRule | undefined {
  if (text === 'none') return keepsAll;
  const match = /^(?:(\d{1,5})d)?(?:(?:^|(?<=d)\/)(\d{1,7}))?$/.exec(text);
  const [, days, count] = match ?? [];
  if (days === undefined && count === undefined) return undefined;
  const rule = {
    days: days === undefined ? null : Number(days),
    count: count === undefined ? null : Number(count),
  };
  return rule.days === 0 || rule.count === 0 ? undefined : rule;
}

export function describeKeepRule({ days, count }: KeepRule): string {
  if (days === null && count === null) return 'all';
  const parts = [...(count === null ? [] : [`the newest ${count}`])];
  return [...parts, ...(days === null ? [] : [`${days} days`])].join(', at most ');
}

export interface RunToRetain {
  readonly id: string;
  readonly suiteId: string;
  /** Later runs of a suite have higher numbers. */
  readonly runNumber: number;
  /** The end of the run, or its creation time if the end is unknown. */
  readonly atMs: number;
  readonly isOpen: boolean;
  readonly isWaived: boolean;
  readonly isDecided: boolean;
  /**
   * Whether the run counts for its suite. Runs that do not count, such as replays, are numbered
   * separately, so that they displace no run that counts.
   */
  readonly countsForSuite: boolean;
  readonly hasTraces: boolean;
}

export type SparedBecause = 'open' | 'waived' | 'newestDecided';

export interface RetainedRuns {
  readonly runs: readonly string[];
  readonly traces: readonly string[];
  readonly spared: Readonly<Record<SparedBecause, number>>;
}

/**
 * Returns the runs and the traces to remove. Three kinds of runs always stay:
 *
 * - open runs, since data is still being written to them
 * - waived runs, since a person's decision depends on them
 * - the newest decided run of each suite, since gates compare with it
 */
export function retainRuns(
  runs: readonly RunToRetain[],
  retention: Pick<Retention, 'runs' | 'traces'>,
  nowMs: number,
): RetainedRuns {
  runs.forEach(requireWhole);
  const newestFirst = [...runs].sort((one, other) => other.runNumber - one.runNumber);
  const places = new Map<string, number>();
  const decided = new Set<string>();
  const going: string[] = [];
  const losing: string[] = [];
  const spared = { open: 0, waived: 0, newestDecided: 0 };
  for (const run of newestFirst) {
    const countedAmong = `${run.suiteId} ${run.countsForSuite}`;
    const place = places.get(countedAmong) ?? 0;
    places.set(countedAmong, place + 1);
    const tellsOfSuite = run.isDecided && run.countsForSuite;
    const isNewest = tellsOfSuite && !decided.has(run.suiteId);
    if (tellsOfSuite) decided.add(run.suiteId);
    const goes = isBeyond(retention.runs, run.atMs, place, nowMs);
    const loses = run.hasTraces && isBeyond(retention.traces, run.atMs, place, nowMs);
    if (!goes && !loses) continue;
    const because = sparedBecause(run, isNewest);
    if (because !== undefined) spared[because] += 1;
    else if (goes) going.push(run.id);
    else losing.push(run.id);
  }
  return { runs: going, traces: losing, spared };
}

/** Throws if a field that may protect the run is missing, so that no run is removed. */
function requireWhole({ id, isOpen, isWaived, isDecided, countsForSuite }: RunToRetain): void {
  const facts: unknown[] = [isOpen, isWaived, isDecided, countsForSuite];
  if (facts.some((fact) => typeof fact !== 'boolean'))
    throw new Error(`Run ${id} was read only in part, so no run is removed.`);
}

function sparedBecause(run: RunToRetain, isNewestDecided: boolean): SparedBecause | undefined {
  if (run.isOpen) return 'open';
  if (run.isWaived) return 'waived';
  return isNewestDecided ? 'newestDecided' : undefined;
}

export interface SessionToRetain {
  readonly id: string;
  readonly accountId: string;
  readonly lastActivityMs: number;
}

export function retainSessions(
  sessions: readonly SessionToRetain[],
  rule: KeepRule,
  nowMs: number,
): string[] {
  const newestFirst = [...sessions].sort(
    (one, other) => other.lastActivityMs - one.lastActivityMs || (one.id < other.id ? 1 : -1),
  );
  const places = new Map<string, number>();
  return newestFirst.flatMap(({ id, accountId, lastActivityMs }) => {
    const place = places.get(accountId) ?? 0;
    places.set(accountId, place + 1);
    return isBeyond(rule, lastActivityMs, place, nowMs) ? [id] : [];
  });
}

function isBeyond({ days, count }: KeepRule, atMs: number, place: number, nowMs: number): boolean {
  return (days !== null && nowMs - atMs > days * dayMs) || (count !== null && place >= count);
}

const dayMs = 86_400_000;

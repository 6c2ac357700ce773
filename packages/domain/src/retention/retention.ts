/**
 * How long things are kept. A rule bounds the age, the number, or both; what one of the two does not keep goes. Runs
 * and their traces are counted inside their suite, so that a busy suite does not take the history of a quiet one, replays
 * and runs under an overlay apart from the others, and chat sessions for each person.
 */
export const retainedKinds = ['runs', 'traces', 'sessions'] as const;
export type RetainedKind = (typeof retainedKinds)[number];

/** null: as many, or as long, as there are. */
export interface KeepRule {
  readonly days: number | null;
  readonly count: number | null;
}

export type Retention = Readonly<Record<RetainedKind, KeepRule>>;

export const keepsAll: KeepRule = { days: null, count: null };
export const keepEverything: Retention = { runs: keepsAll, traces: keepsAll, sessions: keepsAll };

/** `90d`, `50`, `90d/50` or `none`; nothing where it is none of them. */
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
  /** When it ended; when it was made, where that is not known. */
  readonly atMs: number;
  /** Under way, or a judge still owes its word. */
  readonly isOpen: boolean;
  /** A waiver over it is in force. */
  readonly isWaived: boolean;
  /** It ended with a verdict. */
  readonly isDecided: boolean;
  /** Those that do not are counted among themselves, so that they push nothing out that does. */
  readonly countsForSuite: boolean;
  readonly hasTraces: boolean;
}

/** Why a run stays that its rule does not keep. */
export type SparedBecause = 'open' | 'waived' | 'newestDecided';

export interface RetainedRuns {
  /** The ids of runs that go, with all that belongs to them. */
  readonly runs: readonly string[];
  /** The ids of runs that stay but lose their traces. */
  readonly traces: readonly string[];
  readonly spared: Readonly<Record<SparedBecause, number>>;
}

/**
 * Never a run that is open, since it is still written to; that is waived, since somebody's word rests on it; or that is the
 * newest decided one of its suite, since gates compare with it and it is all that tells how the suite stands.
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

/** A fact that was not read would let go of what it protects, so nothing goes then. */
function requireWhole({ id, isOpen, isWaived, isDecided, countsForSuite }: RunToRetain): void {
  const facts: unknown[] = [isOpen, isWaived, isDecided, countsForSuite];
  if (facts.some((fact) => typeof fact !== 'boolean'))
    throw new Error(`Run ${id} was not read whole, so no run is removed.`);
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

/**
 * Compares two waves by journey, target and criterion. A pass rate fell if the 95 % interval of the
 * difference is below zero. Among several comparisons some fall by chance, so `corrected` asks that
 * Fisher's exact test, corrected by Holm for their number, finds the fall, too. A journey whose goal,
 * persona or simulated user changed cannot be compared, and neither can a changed criterion. Equal
 * transcripts of a target count once.
 */
import { type ComparedRates, compareRates } from '../gates/compare-rates.ts';
import type { PassCount } from '../gates/measures.ts';
import { groupBy } from '../insights/detection.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { type ComparedChances, compareMany } from '../statistics/compare-many.ts';
import { type CriterionGrade, distinctOf } from './scorecard.ts';

/** The largest number of graded sessions that are compared for each wave; the newest are used. */
export const mostComparedSessions = 5000;

export interface ComparedSession {
  readonly journeyId: string;
  readonly targetId: string;
  readonly goal: string;
  readonly persona: unknown;
  /**
   * The model of the simulated user. Sessions with different models cannot be compared, since
   * another model talks differently.
   */
  readonly personaModel: string;
  readonly rubric: readonly {
    readonly id: string;
    readonly predicate: unknown;
    readonly role: 'gating' | 'advisory';
  }[];
  readonly criteria: readonly CriterionGrade[];
  readonly transcriptHash: string | null;
}

export const incomparableReasons = [
  'goal_changed',
  'persona_changed',
  'criterion_changed',
  'missing',
] as const;
export type IncomparableReason = (typeof incomparableReasons)[number];

export interface ComparedSide {
  readonly passed: number;
  readonly graded: number;
  readonly rate: number | null;
}

export interface ComparedCriterion {
  readonly journeyId: string;
  readonly targetId: string;
  readonly criterionId: string;
  readonly role: 'gating' | 'advisory';
  readonly base: ComparedSide;
  readonly current: ComparedSide;
  /** The 95 % interval of this difference alone. */
  readonly difference: { readonly lower: number; readonly upper: number } | null;
  /** The chance of the difference, corrected for all comparisons; null with too few sessions. */
  readonly holm: number | null;
  /** By the interval of this difference alone. */
  readonly outcome: WaveOutcome;
  /** The outcome after the correction for all comparisons. Gates and sentences use it. */
  readonly corrected: WaveOutcome;
}

export type WaveOutcome = 'regression' | 'no_regression' | 'insufficient_data';

/** A criterion of a target with its counts in both waves. */
interface CountedCriterion
  extends Pick<ComparedCriterion, 'journeyId' | 'targetId' | 'criterionId' | 'role'> {
  readonly before: PassCount;
  readonly now: PassCount;
}

export interface Incomparable {
  readonly journeyId: string;
  readonly reason: IncomparableReason;
  /** Present if only this criterion cannot be compared. */
  readonly criterionId?: string;
  /**
   * Whether a gating criterion of the base wave is affected, so that a regression cannot be ruled
   * out.
   */
  readonly decides: boolean;
}

export interface ComparedWaves {
  readonly rows: readonly ComparedCriterion[];
  readonly notComparable: readonly Incomparable[];
}

export function compareWaves(
  base: readonly ComparedSession[],
  current: readonly ComparedSession[],
): ComparedWaves {
  const rows: CountedCriterion[] = [];
  const notComparable: Incomparable[] = [];
  const [bases, currents] = [base, current].map((side) =>
    groupBy(side, (one) => one.journeyId),
  ) as [Map<string, ComparedSession[]>, Map<string, ComparedSession[]>];
  for (const journeyId of namesOf([...base, ...current], (one) => one.journeyId)) {
    const [was, is] = [bases.get(journeyId) ?? [], currents.get(journeyId) ?? []];
    const reason = whyIncomparable(was, is);
    if (reason !== undefined) {
      notComparable.push({ journeyId, reason, decides: gatingIn(was).size > 0 });
      continue;
    }
    const both = [...was, ...is];
    const changed = changedCriteria(both);
    const gated = gatingIn(was);
    notComparable.push(
      ...[...changed].map((criterionId) => ({
        journeyId,
        reason: 'criterion_changed' as const,
        criterionId,
        decides: gated.has(criterionId),
      })),
    );
    const roles = new Map(
      rubricsOf(both).flatMap((rubric) => rubric.map(({ id, role }) => [id, role] as const)),
    );
    const criteria = [...roles.keys()].sort();
    const [counted, countedNow] = [countPassed(was), countPassed(is)];
    for (const targetId of namesOf(both, (one) => one.targetId)) {
      for (const criterionId of criteria) {
        if (changed.has(criterionId)) continue;
        const of = (counts: PassCounts) => counts.get(targetId)?.get(criterionId) ?? none;
        const role = roles.get(criterionId) ?? 'gating';
        const counts = { before: of(counted), now: of(countedNow) };
        rows.push({ journeyId, targetId, criterionId, role, ...counts });
      }
    }
  }
  return { rows: compareCounted(rows), notComparable };
}

function whyIncomparable(
  was: readonly ComparedSession[],
  is: readonly ComparedSession[],
): IncomparableReason | undefined {
  if (was.length === 0 || is.length === 0) return 'missing';
  const both = [...was, ...is];
  if (new Set(both.map(({ goal }) => goal)).size > 1) return 'goal_changed';
  const personas = new Set(both.map(({ persona }) => persona));
  if (new Set([...personas].map(canonicalJson)).size > 1) return 'persona_changed';
  if (new Set(both.map(({ personaModel }) => personaModel)).size > 1) return 'persona_changed';
  return undefined;
}

/** Returns criteria that not all sessions have, or whose predicate differs between sessions. */
function changedCriteria(sessions: readonly ComparedSession[]): Set<string> {
  const spelled = new Map<string, Set<string>>();
  const rubrics = rubricsOf(sessions);
  for (const rubric of rubrics) {
    for (const { id, predicate } of rubric) {
      spelled.set(id, (spelled.get(id) ?? new Set()).add(canonicalJson(predicate)));
    }
  }
  const isEverywhere = (id: string) =>
    rubrics.every((rubric) => rubric.some((one) => one.id === id));
  return new Set(
    [...spelled].flatMap(([id, ways]) => (ways.size > 1 || !isEverywhere(id) ? id : [])),
  );
}

function gatingIn(sessions: readonly ComparedSession[]): Set<string> {
  const criteria = rubricsOf(sessions).flat();
  return new Set(criteria.flatMap(({ id, role }) => (role === 'gating' ? id : [])));
}

/**
 * Returns the different rubrics, at most one per run, since sessions of a run share one rubric
 * object.
 */
function rubricsOf(sessions: readonly ComparedSession[]): ComparedSession['rubric'][] {
  return [...new Set(sessions.map(({ rubric }) => rubric))];
}

type PassCounts = ReadonlyMap<string, ReadonlyMap<string, PassCount>>;

const none: PassCount = { passed: 0, trials: 0 };

/**
 * Counts all targets and criteria in a single pass, since there may be thousands of sessions and
 * hundreds of pairs.
 */
function countPassed(sessions: readonly ComparedSession[]): PassCounts {
  const counts = new Map<string, Map<string, { passed: number; trials: number }>>();
  for (const { targetId, criteria } of distinctOf(sessions)) {
    const ofTarget = counts.get(targetId) ?? new Map();
    counts.set(targetId, ofTarget);
    for (const { criterionId, passed } of criteria) {
      const count = ofTarget.get(criterionId) ?? { passed: 0, trials: 0 };
      ofTarget.set(criterionId, count);
      count.trials += 1;
      if (passed) count.passed += 1;
    }
  }
  return counts;
}

type Measured = Exclude<ComparedRates, { readonly outcome: 'insufficient' }>;

function compareCounted(rows: readonly CountedCriterion[]): ComparedCriterion[] {
  const rates = rows.map(({ before, now }) => compareRates(before, now));
  // Rows with too few sessions are corrected for nothing, so they must not dilute the others.
  const measured = [...rows.keys()].filter((at) => rates[at]?.outcome !== 'insufficient');
  const many = compareMany(
    measured.flatMap((at) => {
      const row = rows[at];
      return row === undefined ? [] : [{ base: row.before, compare: row.now }];
    }),
  );
  const chancesOf = new Map(measured.map((at, rank) => [at, many.cases[rank]]));
  return rows.map(({ before, now, ...names }, at) => {
    const sides = { base: sideOf(before), current: sideOf(now) };
    const [compared, chances] = [rates[at], chancesOf.get(at)];
    if (compared === undefined || compared.outcome === 'insufficient' || chances === undefined) {
      const outcome = 'insufficient_data' as const;
      const nothing = { difference: null, holm: null, outcome, corrected: outcome };
      return { ...names, ...sides, ...nothing };
    }
    const difference = { lower: compared.lower, upper: compared.upper };
    const outcome = compared.outcome === 'regression' ? 'regression' : 'no_regression';
    const corrected = correctedOutcome(compared, chances, measured.length);
    return { ...names, ...sides, difference, holm: chances.holm, outcome, corrected };
  });
}

/** With a single comparison there is nothing to correct for. */
function correctedOutcome(
  { outcome }: Measured,
  { significance }: ComparedChances,
  comparisons: number,
): WaveOutcome {
  if (comparisons > 1 && significance === 'too_few') return 'insufficient_data';
  const isFound = comparisons === 1 || significance === 'outside_noise';
  return outcome === 'regression' && isFound ? 'regression' : 'no_regression';
}

function sideOf({ passed, trials }: PassCount): ComparedSide {
  return { passed, graded: trials, rate: trials === 0 ? null : passed / trials };
}

/** Sorts by code unit, so that the result does not depend on the order of the sessions. */
function namesOf(
  sessions: readonly ComparedSession[],
  of: (session: ComparedSession) => string | readonly string[],
): string[] {
  return [...new Set(sessions.flatMap(of))].sort();
}

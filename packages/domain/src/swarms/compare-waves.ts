/**
 * Compares two waves by journey, target and criterion. Pass rates are compared by the same rule as
 * for runs. A journey whose goal, persona or simulated user changed cannot be compared, and neither
 * can a changed criterion. Equal transcripts of a target count once.
 */
import { compareRates } from '../gates/compare-rates.ts';
import type { PassCount } from '../gates/measures.ts';
import { groupBy } from '../insights/detection.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { type CriterionGrade, distinctOf } from './scorecard.ts';

/** The largest number of graded sessions of a wave that are compared; the newest are used. */
export const mostComparedSessions = 5000;

/** A graded session with the goal and rubric of its run. */
export interface ComparedSession {
  readonly journeyId: string;
  readonly targetId: string;
  readonly goal: string;
  readonly persona: unknown;
  /** The model of the simulated user. Another model talks differently, whatever the server does. */
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
  readonly difference: { readonly lower: number; readonly upper: number } | null;
  readonly outcome: 'regression' | 'no_regression' | 'insufficient_data';
}

export interface Incomparable {
  readonly journeyId: string;
  readonly reason: IncomparableReason;
  /** Present if only this criterion cannot be compared. */
  readonly criterionId?: string;
  /**
   * Whether the base wave was gated by the missing comparison, so that a regression cannot be ruled
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
  const rows: ComparedCriterion[] = [];
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
        const compared = compareSides(of(counted), of(countedNow));
        const role = roles.get(criterionId) ?? 'gating';
        rows.push({ journeyId, targetId, criterionId, role, ...compared });
      }
    }
  }
  return { rows, notComparable };
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

/** Counts by target id, then by criterion id. */
type PassCounts = ReadonlyMap<string, ReadonlyMap<string, PassCount>>;

const none: PassCount = { passed: 0, trials: 0 };

/**
 * Counts all rows in a single pass, since there may be thousands of sessions and hundreds of rows.
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

function compareSides(
  base: PassCount,
  current: PassCount,
): Pick<ComparedCriterion, 'base' | 'current' | 'difference' | 'outcome'> {
  const compared = compareRates(base, current);
  const sides = { base: sideOf(base), current: sideOf(current) };
  if (compared.outcome === 'insufficient') {
    return { ...sides, difference: null, outcome: 'insufficient_data' };
  }
  const { lower, upper } = compared;
  const outcome = compared.outcome === 'regression' ? 'regression' : 'no_regression';
  return { ...sides, difference: { lower, upper }, outcome };
}

function sideOf({ passed, trials }: PassCount): ComparedSide {
  return { passed, graded: trials, rate: trials === 0 ? null : passed / trials };
}

/**
 * Returns each name once, sorted by code unit, so that the order of sessions does not change the
 * rows.
 */
function namesOf(
  sessions: readonly ComparedSession[],
  of: (session: ComparedSession) => string | readonly string[],
): string[] {
  return [...new Set(sessions.flatMap(of))].sort();
}

/**
 * A wave beside another, by journey, target and criterion. Rates of passing are compared by the rule that compares runs.
 * A journey whose goal or persona is another now was not asked the same, and a criterion that changed does not measure
 * the same. Equal transcripts of a target count once.
 */
import { compareRates } from '../gates/compare-runs.ts';
import type { PassCount } from '../gates/measures.ts';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { type CriterionGrade, distinctOf } from './scorecard.ts';

/** A graded session with what its run asked of it. */
export interface ComparedSession {
  readonly journeyId: string;
  readonly targetId: string;
  readonly goal: string;
  readonly persona: unknown;
  readonly rubric: readonly { readonly id: string; readonly predicate: unknown }[];
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
  readonly base: ComparedSide;
  readonly current: ComparedSide;
  readonly difference: { readonly lower: number; readonly upper: number } | null;
  readonly outcome: 'regression' | 'no_regression' | 'insufficient_data';
}

export interface Incomparable {
  readonly journeyId: string;
  readonly reason: IncomparableReason;
  /** Where it is one criterion alone. */
  readonly criterionId?: string;
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
  for (const journeyId of namesOf([...base, ...current], (one) => one.journeyId)) {
    const [was, is] = [base, current].map((side) =>
      side.filter((one) => one.journeyId === journeyId),
    ) as [ComparedSession[], ComparedSession[]];
    const reason = whyIncomparable(was, is);
    if (reason !== undefined) {
      notComparable.push({ journeyId, reason });
      continue;
    }
    const both = [...was, ...is];
    const changed = changedCriteria(both);
    notComparable.push(
      ...[...changed].map((criterionId) => ({
        ...{ journeyId, reason: 'criterion_changed' as const, criterionId },
      })),
    );
    const criteria = namesOf(both, ({ rubric }) => rubric.map(({ id }) => id));
    for (const targetId of namesOf(both, (one) => one.targetId)) {
      for (const criterionId of criteria) {
        if (changed.has(criterionId)) continue;
        const of = (side: readonly ComparedSession[]) => countPassed(side, targetId, criterionId);
        rows.push({ journeyId, targetId, criterionId, ...compareSides(of(was), of(is)) });
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
  if (new Set(both.map(({ persona }) => canonicalJson(persona))).size > 1) return 'persona_changed';
  return undefined;
}

/** Those that some sessions have and others have not, or have with another predicate. */
function changedCriteria(sessions: readonly ComparedSession[]): Set<string> {
  const spelled = new Map<string, Set<string>>();
  const rubrics = new Map(sessions.map(({ rubric }) => [canonicalJson(rubric), rubric]));
  for (const rubric of rubrics.values()) {
    for (const { id, predicate } of rubric) {
      spelled.set(id, (spelled.get(id) ?? new Set()).add(canonicalJson(predicate)));
    }
  }
  const isEverywhere = (id: string) =>
    [...rubrics.values()].every((rubric) => rubric.some((one) => one.id === id));
  return new Set(
    [...spelled].flatMap(([id, ways]) => (ways.size > 1 || !isEverywhere(id) ? id : [])),
  );
}

function countPassed(
  sessions: readonly ComparedSession[],
  targetId: string,
  criterionId: string,
): PassCount {
  const distinct = distinctOf(sessions.filter((one) => one.targetId === targetId));
  const graded = distinct.flatMap(({ criteria }) =>
    criteria.filter((one) => one.criterionId === criterionId),
  );
  return { passed: graded.filter(({ passed }) => passed).length, trials: graded.length };
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

/** Each once, by code unit: the same sessions in any order give the same rows. */
function namesOf(
  sessions: readonly ComparedSession[],
  of: (session: ComparedSession) => string | readonly string[],
): string[] {
  return [...new Set(sessions.flatMap(of))].sort();
}

/** The grades of a run as lists count them: what gates alone, and no rates. A scorecard is one too. */
import {
  type CountedCriterion,
  type CriterionCounts,
  countUngraded,
  type Scorecard,
  type UngradedSessions,
} from './scorecard.ts';

export interface RunGrades extends Omit<Scorecard, 'criteria'> {
  readonly criteria: readonly Pick<
    CriterionCounts,
    'id' | 'label' | 'kind' | 'role' | 'failCount' | 'pendingCount' | 'failedGradingCount'
  >[];
}

/** Stored grades of one run, counted where they are stored. */
export interface StoredGradeCounts {
  readonly graded: number;
  readonly pending: number;
  readonly failed: number;
  /** Of the graded sessions, those that failed a gating criterion. */
  readonly failing: number;
  /** How many of the failing ones met it, by criterion. */
  readonly met: ReadonlyMap<string, number>;
  /** How many of the graded ones differ from each other. */
  readonly distinct: number;
}

/** Nothing where the run has no criteria. A criterion that a completed grading says nothing about is not met. */
export function runGradesOf(
  rubric: readonly CountedCriterion[],
  counts: StoredGradeCounts | undefined,
  sessionsTotal: number,
  ungraded: readonly UngradedSessions[],
): RunGrades | undefined {
  if (rubric.length === 0) return undefined;
  const { graded = 0, pending = 0, failed = 0, failing = 0, distinct = 0, met } = counts ?? {};
  return {
    criteria: rubric
      .filter(({ role }) => role === 'gating')
      .map(({ id, label, predicate, role }) => ({
        id,
        label,
        kind: predicate.type,
        role,
        failCount: failing - (met?.get(id) ?? 0),
        pendingCount: pending,
        failedGradingCount: failed,
      })),
    sessionsTotal,
    sessionsGraded: graded,
    distinctTranscripts: distinct,
    ...countUngraded(ungraded),
  };
}

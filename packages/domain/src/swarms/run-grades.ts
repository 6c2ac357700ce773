/**
 * The grades of a run for lists of runs: only counts of gating criteria, without rates. Field names
 * are those of a scorecard.
 */
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

/** Counts of one run's stored grades, computed by the database. */
export interface StoredGradeCounts {
  readonly graded: number;
  readonly pending: number;
  readonly failed: number;
  readonly failing: number;
  /** The number of failing sessions that met a criterion, by criterion id. */
  readonly met: ReadonlyMap<string, number>;
  /** The number of different transcripts among the graded sessions. */
  readonly distinct: number;
}

/**
 * Returns undefined if the run has no criteria. A criterion without a grade in a graded session
 * counts as failed.
 */
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

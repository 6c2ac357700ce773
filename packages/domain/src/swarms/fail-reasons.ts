/**
 * The reasons why a criterion did not hold, from the grades of failed sessions, the most frequent
 * first. Sessions are counted together only if their reasons are identical.
 */
import { groupBy } from '../insights/detection.ts';

export interface FailReason {
  readonly reason: string;
  readonly sessionCount: number;
  /** The id of the first of these sessions; null if it is unknown. */
  readonly sessionId: string | null;
}

export const mostFailReasons = 3;

interface GradedSession {
  readonly sessionId?: string | null;
  readonly criteria: readonly {
    readonly criterionId: string;
    readonly passed: boolean;
    readonly reason: string;
  }[];
}

export function failReasonsOf(graded: readonly GradedSession[], criterionId: string): FailReason[] {
  const given = graded.flatMap(({ sessionId = null, criteria }) =>
    criteria
      .filter((grade) => grade.criterionId === criterionId)
      .slice(0, 1)
      .flatMap(({ passed, reason }) => (passed || reason === '' ? [] : [{ reason, sessionId }])),
  );
  return [...groupBy(given, ({ reason }) => reason)]
    .map(([reason, alike]) => ({
      reason,
      sessionCount: alike.length,
      sessionId: alike[0]?.sessionId ?? null,
    }))
    .sort((one, other) => other.sessionCount - one.sessionCount)
    .slice(0, mostFailReasons);
}

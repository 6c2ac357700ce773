/**
 * The overview of a project, from its newest runs. Results of judges and of criteria are reported
 * separately. In the published API, "graded" in `goalCompletion` means "judged".
 */
import type { CriterionCounts } from './scorecard.ts';

export const overviewLimits = { read: 200, shown: 50 } as const;

export interface JudgedSessions {
  readonly gradedCount: number;
  readonly passedCount: number;
  readonly avgScore: number | null;
  readonly pendingCount: number;
  readonly failedCount: number;
}

export interface OverviewTarget {
  readonly hostName: string;
  readonly modelId: string;
  readonly environmentName?: string;
}

export interface OverviewRun {
  readonly journeyId: string;
  readonly createdAt: number;
  /** Null if no session of the run was judged. */
  readonly goalCompletion: JudgedSessions | null;
  readonly sessionsGraded: number;
  /** The criteria in the order of the snapshot; empty without a rubric. */
  readonly criteria: readonly Pick<
    CriterionCounts,
    'id' | 'label' | 'kind' | 'role' | 'failCount' | 'pendingCount' | 'failedGradingCount'
  >[];
}

export interface OverviewFinding {
  readonly criterionId: string;
  readonly label: string | null;
  readonly kind: string;
  readonly failCount: number;
  readonly pendingCount: number;
  readonly failedGradingCount: number;
  readonly sessionsGraded: number;
  readonly runStreak: number;
}

export interface GoalTotals {
  readonly gradedCount: number;
  readonly passedCount: number;
  readonly passRate: number | null;
  readonly runsWithGrades: number;
  readonly trend: readonly {
    readonly dayStartMs: number;
    readonly gradedCount: number;
    readonly passedCount: number;
    readonly passRate: number;
  }[];
}

/**
 * Returns the failing gating criteria for each run, the most frequent first. Only the newest run of
 * each journey has any; for older runs the list is empty.
 */
export function findingsOfRuns(
  /** The runs, newest first. */
  runs: readonly OverviewRun[],
): OverviewFinding[][] {
  const seen = new Set<string>();
  return runs.map((run, index) => {
    if (seen.has(run.journeyId)) return [];
    seen.add(run.journeyId);
    const earlier = runs.slice(index).filter(({ journeyId }) => journeyId === run.journeyId);
    const failing = run.criteria.filter((one) => one.role === 'gating' && one.failCount > 0);
    // All rates of a run have the same divisor, so counts sort like rates. Equal counts keep the
    // order of the rubric.
    return [...failing]
      .sort((one, other) => other.failCount - one.failCount)
      .map(({ id, label, kind, failCount, pendingCount, failedGradingCount }) => ({
        criterionId: id,
        label,
        kind,
        failCount,
        pendingCount,
        failedGradingCount,
        sessionsGraded: run.sessionsGraded,
        runStreak: runStreak(earlier, id),
      }));
  });
}

/**
 * Counts in how many successive newest runs the criterion failed in at least one session. A run
 * without a grade for the criterion neither adds to the streak nor breaks it.
 */
function runStreak(newestFirst: readonly OverviewRun[], criterionId: string): number {
  let streak = 0;
  for (const { criteria, sessionsGraded } of newestFirst) {
    const one = criteria.find(({ id }) => id === criterionId);
    if (one === undefined || sessionsGraded === 0) continue;
    if (one.failCount === 0) break;
    streak += 1;
  }
  return streak;
}

const dayMs = 86_400_000;

export function goalTotals(runs: readonly OverviewRun[]): GoalTotals {
  const days = new Map<number, { gradedCount: number; passedCount: number }>();
  let [gradedCount, passedCount, runsWithGrades] = [0, 0, 0];
  for (const { createdAt, goalCompletion } of runs) {
    if (goalCompletion === null || goalCompletion.gradedCount === 0) continue;
    const dayStartMs = Math.floor(createdAt / dayMs) * dayMs;
    const day = days.get(dayStartMs) ?? { gradedCount: 0, passedCount: 0 };
    days.set(dayStartMs, day);
    day.gradedCount += goalCompletion.gradedCount;
    day.passedCount += goalCompletion.passedCount;
    gradedCount += goalCompletion.gradedCount;
    passedCount += goalCompletion.passedCount;
    runsWithGrades += 1;
  }
  const trend = [...days]
    .sort(([one], [other]) => one - other)
    .map(([dayStartMs, day]) => ({
      dayStartMs,
      ...day,
      passRate: day.passedCount / day.gradedCount,
    }));
  const passRate = gradedCount === 0 ? null : passedCount / gradedCount;
  return { gradedCount, passedCount, passRate, runsWithGrades, trend };
}

export function distinctTargets(targets: readonly OverviewTarget[]): OverviewTarget[] {
  const byKey = new Map<string, OverviewTarget>();
  for (const { hostName, modelId, environmentName } of targets) {
    const target = { hostName, modelId, ...(environmentName !== undefined && { environmentName }) };
    const key = JSON.stringify(target);
    if (!byKey.has(key)) byKey.set(key, target);
  }
  return [...byKey.values()];
}

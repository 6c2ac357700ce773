/**
 * The results of a suite's cases in its latest runs. A case has one mark for each run, for all its
 * models and rows together. Ungraded trials do not count; a case without graded trials is marked as
 * not measured.
 */
import { caseKeyOfRow } from '../suites/data-rows.ts';

/** The number of runs in a history: enough to show a pattern, few enough to see at a glance. */
export const mostRunsOfHistory = 12;

export const caseMarks = ['passed', 'failed', 'mixed', 'notMeasured'] as const;
export type CaseMark = (typeof caseMarks)[number];

export interface CaseInRun {
  readonly runId: string;
  readonly passed: number;
  readonly failed: number;
  readonly notGraded: number;
}

export interface CaseHistory {
  readonly caseId: string;
  readonly marks: readonly (CaseInRun & { readonly mark: CaseMark })[];
  readonly isFlaky: boolean;
}

export function caseMark({ passed, failed }: Pick<CaseInRun, 'passed' | 'failed'>): CaseMark {
  if (passed > 0 && failed > 0) return 'mixed';
  if (passed > 0) return 'passed';
  return failed > 0 ? 'failed' : 'notMeasured';
}

export function caseOfRow(caseId: string): string {
  return caseKeyOfRow(caseId) ?? caseId;
}

/**
 * Groups counts by case; counts without a case id are left out. The marks (results) of a case are
 * in the order of `runIds`.
 */
export function caseHistories(
  runIds: readonly string[],
  counted: readonly (CaseInRun & { readonly caseId: string | null })[],
  flakyIds: Iterable<string>,
): CaseHistory[] {
  const byCase = new Map<string, Map<string, CaseInRun>>();
  for (const { caseId, ...counts } of counted) {
    if (caseId === null) continue;
    const inRuns = byCase.get(caseOfRow(caseId)) ?? new Map<string, CaseInRun>();
    byCase.set(caseOfRow(caseId), inRuns.set(counts.runId, sum(inRuns.get(counts.runId), counts)));
  }
  const flaky = new Set([...flakyIds].map(caseOfRow));
  return [...byCase].map(([caseId, inRuns]) => ({
    caseId,
    marks: runIds.flatMap((runId) => {
      const counts = inRuns.get(runId);
      return counts === undefined ? [] : [{ ...counts, mark: caseMark(counts) }];
    }),
    isFlaky: flaky.has(caseId),
  }));
}

function sum(one: CaseInRun | undefined, other: CaseInRun): CaseInRun {
  return {
    runId: other.runId,
    passed: (one?.passed ?? 0) + other.passed,
    failed: (one?.failed ?? 0) + other.failed,
    notGraded: (one?.notGraded ?? 0) + other.notGraded,
  };
}

/**
 * Compares the cases of two runs. If a run's decision states that a case passed or failed at its
 * threshold, that verdict counts: 4 of 5 trials pass at 0.8. Without a verdict, a case with mixed
 * results is "regressed" or "fixed" only if its trials differ by more than chance. Otherwise it is
 * "changed", like a case without a result. A case in only one of the runs is new or removed.
 */
import { changeSignificance, type Significance } from '../verdict/change-significance.ts';

export interface ComparedTrials {
  readonly caseKey: string;
  readonly title: string;
  readonly passed: number;
  readonly failed: number;
  /**
   * The decision's verdict over all variants of the case; absent if the decision does not contain
   * the case.
   */
  readonly verdict?: 'passed' | 'failed' | undefined;
  /** The ids of the first trials of the case, in the order of the run. */
  readonly iterationIds: readonly string[];
  /** The id of the first trial that did not pass. */
  readonly firstNotPassed: string | null;
  readonly error: string | null;
  /** A text that is equal if and only if the case's content is equal; null if unknown. */
  readonly config: string | null;
  readonly evaluationConfig: string | null;
}

export const caseChanges = [
  'unchanged_passed',
  'unchanged_failed',
  'regressed',
  'fixed',
  'new_case',
  'removed_case',
  'changed',
] as const;
export type CaseChange = (typeof caseChanges)[number];

/** Whether the result is the same as before. */
export function isUnchanged(change: CaseChange): boolean {
  return change === 'unchanged_passed' || change === 'unchanged_failed';
}

export interface ComparedCaseSide {
  readonly outcome: 'passed' | 'failed' | 'absent';
  readonly passedTrials: number;
  /** The number of graded trials. */
  readonly eligibleTrials: number;
  readonly iterationIds: readonly string[];
  readonly representativeIterationId: string | null;
  readonly error: string | null;
}

export interface ComparedCase {
  readonly caseKey: string;
  readonly title: string;
  readonly status: CaseChange;
  readonly significance: Significance;
  readonly configChanged: boolean;
  readonly evaluationConfigChanged: boolean;
  readonly base: ComparedCaseSide;
  readonly compare: ComparedCaseSide;
}

/** Returns cases in the order of the later run, then removed cases in the order of the base run. */
export function compareCases(
  base: readonly ComparedTrials[],
  compare: readonly ComparedTrials[],
): ComparedCase[] {
  const before = new Map(base.map((one) => [one.caseKey, one]));
  const kept = new Set(compare.map(({ caseKey }) => caseKey));
  return [
    ...compare.map((one) => compareCase(before.get(one.caseKey), one)),
    ...base.filter(({ caseKey }) => !kept.has(caseKey)).map((one) => compareCase(one, undefined)),
  ];
}

function compareCase(
  base: ComparedTrials | undefined,
  compare: ComparedTrials | undefined,
): ComparedCase {
  const { caseKey = '', title = '' } = compare ?? base ?? {};
  const significance = changeSignificance(countOf(base), countOf(compare));
  return {
    caseKey,
    title,
    status: changeOf(base, compare, significance),
    significance,
    configChanged: differs(base?.config, compare?.config),
    evaluationConfigChanged: differs(base?.evaluationConfig, compare?.evaluationConfig),
    base: sideOf(base),
    compare: sideOf(compare),
  };
}

function countOf(trials: ComparedTrials | undefined) {
  const { passed = 0, failed = 0 } = trials ?? {};
  return { passed, trials: passed + failed };
}

function changeOf(
  base: ComparedTrials | undefined,
  compare: ComparedTrials | undefined,
  significance: Significance,
): CaseChange {
  if (base === undefined) return 'new_case';
  if (compare === undefined) return 'removed_case';
  const was = outcomeOf(base);
  const is = outcomeOf(compare);
  if (was === undefined || is === undefined) {
    if (significance !== 'outside_noise') return 'changed';
    return rateOf(compare) < rateOf(base) ? 'regressed' : 'fixed';
  }
  if (was === is) return is === 'passed' ? 'unchanged_passed' : 'unchanged_failed';
  return is === 'passed' ? 'fixed' : 'regressed';
}

function outcomeOf({ verdict, passed, failed }: ComparedTrials): 'passed' | 'failed' | undefined {
  if (verdict !== undefined) return verdict;
  if (passed > 0) return failed > 0 ? undefined : 'passed';
  return failed > 0 ? 'failed' : undefined;
}

function rateOf({ passed, failed }: ComparedTrials): number {
  return passed / (passed + failed);
}

function sideOf(trials: ComparedTrials | undefined): ComparedCaseSide {
  if (trials === undefined) {
    const none = { passedTrials: 0, eligibleTrials: 0, iterationIds: [] };
    return { outcome: 'absent', ...none, representativeIterationId: null, error: null };
  }
  const { verdict, passed, failed, iterationIds, firstNotPassed, error } = trials;
  const measured = passed > 0 ? 'passed' : 'absent';
  return {
    outcome: verdict ?? (failed > 0 ? 'failed' : measured),
    passedTrials: passed,
    eligibleTrials: passed + failed,
    iterationIds,
    representativeIterationId: firstNotPassed ?? iterationIds[0] ?? null,
    error,
  };
}

/** Whether two texts differ. If one of them is unknown, no difference is reported. */
function differs(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && one !== other;
}

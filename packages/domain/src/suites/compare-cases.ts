/**
 * Compares the cases of two runs.
 *
 * - If the run's decision has a verdict for the case, that verdict is used: 4 of 5 trials pass at a
 *   threshold of 0.8.
 * - Without a verdict, mixed results are "regressed" or "fixed" only if the trials differ by more
 *   than chance, corrected for the number of cases. Otherwise the case is "changed".
 * - A case without a result is "changed".
 * - A case in only one of the runs is new or removed.
 */
import {
  type ComparedChances,
  type Correction,
  compareMany,
  type Significance,
} from '../statistics/compare-many.ts';
import type { PairedComparison } from '../statistics/paired-comparison.ts';
import { pairCases, type TrialsOfCase } from './pair-cases.ts';

export interface ComparedTrials extends TrialsOfCase {
  readonly title: string;
  /**
   * The decision's verdict over all variants of the case; absent if the decision does not contain
   * the case.
   */
  readonly verdict?: 'passed' | 'failed' | undefined;
  /** The ids of the first trials of the case, in the order of the run. */
  readonly iterationIds: readonly string[];
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

export function isUnchanged(change: CaseChange): boolean {
  return change === 'unchanged_passed' || change === 'unchanged_failed';
}

export interface ComparedCaseSide {
  readonly outcome: 'passed' | 'failed' | 'absent';
  readonly passedTrials: number;
  readonly eligibleTrials: number;
  readonly iterationIds: readonly string[];
  readonly representativeIterationId: string | null;
  readonly error: string | null;
}

export interface ComparedCase extends ComparedChances {
  readonly caseKey: string;
  readonly title: string;
  readonly status: CaseChange;
  readonly configChanged: boolean;
  readonly evaluationConfigChanged: boolean;
  readonly base: ComparedCaseSide;
  readonly compare: ComparedCaseSide;
}

export interface ComparedCases {
  /** In the order of the later run, then removed cases in the order of the base run. */
  readonly cases: readonly ComparedCase[];
  readonly correction: Correction;
  /** Null if a run has no case. */
  readonly paired: PairedComparison | null;
}

interface Sides {
  readonly base: ComparedTrials | undefined;
  readonly compare: ComparedTrials | undefined;
}

export function compareCases(
  base: readonly ComparedTrials[],
  compare: readonly ComparedTrials[],
): ComparedCases {
  const before = new Map(base.map((one) => [one.caseKey, one]));
  const kept = new Set(compare.map(({ caseKey }) => caseKey));
  const sides: Sides[] = [
    ...compare.map((one) => ({ base: before.get(one.caseKey), compare: one })),
    ...base
      .filter(({ caseKey }) => !kept.has(caseKey))
      .map((one) => ({ base: one, compare: undefined })),
  ];
  const counts = sides.map((one) => ({ base: countOf(one.base), compare: countOf(one.compare) }));
  const { correction, cases: chances } = compareMany(counts);
  return {
    cases: sides.flatMap((one, at) => {
      const found = chances[at];
      return found === undefined ? [] : [compareCase(one, found)];
    }),
    correction,
    paired: pairCases(base, compare),
  };
}

function compareCase({ base, compare }: Sides, chances: ComparedChances): ComparedCase {
  const { caseKey = '', title = '' } = compare ?? base ?? {};
  return {
    caseKey,
    title,
    status: changeOf(base, compare, chances.significance),
    ...chances,
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

/** If one of the texts is unknown, no difference is reported. */
function differs(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === 'string' && typeof other === 'string' && one !== other;
}

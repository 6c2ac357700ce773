/**
 * Whether a case became better or worse between two runs. If it passed every trial in one run and
 * fails every trial in the other, it moved, however many trials there are. A case with mixed
 * results moved only if chance would hardly explain the difference; otherwise its movement is
 * unclear. A case without graded trials in one of the runs is not measured.
 */
import type { Significance } from '../verdict/change-significance.ts';
import { type CaseChange, isUnchanged } from './compare-cases.ts';

export const caseMovements = [
  'worse',
  'better',
  'unclear',
  'notMeasured',
  'new',
  'removed',
  'same',
] as const;
export type CaseMovement = (typeof caseMovements)[number];

interface Counts {
  readonly passedTrials: number;
  readonly eligibleTrials: number;
}

export interface MovedCase {
  readonly status: CaseChange;
  readonly significance: Significance;
  readonly base: Counts;
  readonly compare: Counts;
}

export function caseMovement({ status, significance, base, compare }: MovedCase): CaseMovement {
  if (status === 'new_case') return 'new';
  if (status === 'removed_case') return 'removed';
  if (base.eligibleTrials === 0 || compare.eligibleTrials === 0) return 'notMeasured';
  if (status === 'regressed' && isEach(base, 'passed') && isEach(compare, 'failed')) return 'worse';
  if (status === 'fixed' && isEach(base, 'failed') && isEach(compare, 'passed')) return 'better';
  if (significance === 'outside_noise') return rateOf(compare) < rateOf(base) ? 'worse' : 'better';
  return isUnchanged(status) ? 'same' : 'unclear';
}

function isEach({ passedTrials, eligibleTrials }: Counts, result: 'passed' | 'failed'): boolean {
  return passedTrials === (result === 'passed' ? eligibleTrials : 0);
}

/**
 * Returns the pass rate. It is called only for a change beyond noise, so the number of graded
 * trials is not 0.
 */
function rateOf({ passedTrials, eligibleTrials }: Counts): number {
  return passedTrials / eligibleTrials;
}

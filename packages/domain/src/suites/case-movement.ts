/**
 * The direction in which a case moved between two runs. A case that passed every trial and now
 * fails every trial, or the reverse, moved with any number of trials. A case with mixed results
 * moved if chance would hardly explain the difference; otherwise it is unknown. A case without a
 * result in a run was not measured there and has no direction.
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

/** Returns the pass rate. A change beyond noise has graded trials on both sides. */
function rateOf({ passedTrials, eligibleTrials }: Counts): number {
  return passedTrials / eligibleTrials;
}

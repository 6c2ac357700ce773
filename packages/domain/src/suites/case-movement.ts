/**
 * Decides whether a case became better or worse between two runs: its trials must differ by more
 * than chance, corrected for the number of compared cases. A change within chance from all passed
 * to all failed is `failsNow`, and the reverse is `passesNow`. Any other change is `unclear`.
 */
import type { Significance } from '../statistics/compare-many.ts';
import { type CaseChange, isUnchanged } from './compare-cases.ts';

export const caseMovements = [
  'worse',
  'better',
  'failsNow',
  'passesNow',
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
  if (significance === 'outside_noise') return rateOf(compare) < rateOf(base) ? 'worse' : 'better';
  if (status === 'regressed' && isEach(base, 'passed') && isEach(compare, 'failed')) {
    return 'failsNow';
  }
  if (status === 'fixed' && isEach(base, 'failed') && isEach(compare, 'passed')) return 'passesNow';
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

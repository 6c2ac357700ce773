/**
 * A rate is the exact quotient of two counts, never rounded. Zero out of zero is not measured: its
 * value is null, never 0 or 1. Each rate contains the exclusions from its denominator.
 */
import { type Exclusions, exclusionReasons, type Rate } from './decision.ts';

export function rate(numerator: number, denominator: number, exclusions: Exclusions): Rate {
  if (denominator === 0) {
    return { state: 'notMeasured', value: null, numerator: 0, denominator: 0, exclusions };
  }
  const value = numerator / denominator;
  return { state: 'measured', value, numerator, denominator, exclusions };
}

/** Sums exclusions in the order of the vocabulary; reasons with a count of zero are left out. */
export function sumExclusions(parts: readonly Exclusions[]): Exclusions {
  const sum: Exclusions = {};
  for (const reason of exclusionReasons) {
    const count = parts.reduce((total, part) => total + (part[reason] ?? 0), 0);
    if (count > 0) sum[reason] = count;
  }
  return sum;
}

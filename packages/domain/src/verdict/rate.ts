/**
 * A rate is the exact quotient of two counts, never rounded. Zero out of zero means not measured:
 * the value is null, never 0 or 1. Each rate states which trials its denominator excludes, and why.
 */
import { type Exclusions, exclusionReasons, type Rate } from './decision.ts';

export function rate(numerator: number, denominator: number, exclusions: Exclusions): Rate {
  if (denominator === 0) {
    return { state: 'notMeasured', value: null, numerator: 0, denominator: 0, exclusions };
  }
  const value = numerator / denominator;
  return { state: 'measured', value, numerator, denominator, exclusions };
}

/**
 * Sums exclusions by reason, in the order of `exclusionReasons`. Reasons with a sum of 0 are
 * omitted.
 */
export function sumExclusions(parts: readonly Exclusions[]): Exclusions {
  const sum: Exclusions = {};
  for (const reason of exclusionReasons) {
    const count = parts.reduce((total, part) => total + (part[reason] ?? 0), 0);
    if (count > 0) sum[reason] = count;
  }
  return sum;
}

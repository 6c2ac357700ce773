/**
 * The sign flip test: without a change, each difference could equally have the opposite sign. The
 * result is the share of all sign choices whose sum is at least as far from zero as the observed
 * sum. All choices are counted, so no random numbers are needed.
 */

/** Equal sums may differ by rounding, relative to the sum of all sizes. */
const rounding = 1e-9;
/** Up to this number of differences, all choices are counted in milliseconds. */
const mostDifferences = 24;

export function signFlipChance(differences: readonly number[]): number {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  sizes.sort((one, other) => other - one);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  const bound = observed - total * rounding;
  if (bound <= 0) return 1;
  // If all differences have the same sign, only that choice of signs and its opposite reach the
  // sum.
  if (observed >= total * (1 - rounding)) return 2 ** (1 - sizes.length);
  if (sizes.length > mostDifferences)
    throw new Error('Internal fault: the sign-flip test got more differences than it can compute.');
  return 2 * shareAtLeast(bound, 0, 0, total, sizes);
}

/**
 * Returns the share of the choices of signs, for the sizes from index `at` on, with which the sum
 * reaches the bound.
 */
function shareAtLeast(
  bound: number,
  sum: number,
  at: number,
  left: number,
  sizes: readonly number[],
): number {
  const size = sizes[at];
  if (sum - left >= bound) return 1;
  if (sum + left < bound) return 0;
  if (size === undefined) return 1;
  const rest = left - size;
  const added = shareAtLeast(bound, sum + size, at + 1, rest, sizes);
  return (added + shareAtLeast(bound, sum - size, at + 1, rest, sizes)) / 2;
}

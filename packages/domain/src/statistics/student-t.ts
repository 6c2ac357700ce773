import { incompleteBeta } from './incomplete-beta.ts';

/** Returns the chance of a value at least as far from zero as `t`, in either direction. */
export function twoSidedTail(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return 0;
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/**
 * Returns the value that is exceeded with the probability 1 − `level`. `level` must be at least 0.5
 * and below 1.
 */
export function studentQuantile(level: number, degrees: number): number {
  const outside = 2 * (1 - level);
  let most = 1;
  while (twoSidedTail(most, degrees) > outside) most *= 2;
  let least = 0;
  // Halves the bracket until no number lies between its ends.
  for (;;) {
    const middle = (least + most) / 2;
    if (middle <= least || middle >= most) return middle;
    if (twoSidedTail(middle, degrees) > outside) least = middle;
    else most = middle;
  }
}

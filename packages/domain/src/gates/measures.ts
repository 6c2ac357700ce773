export interface PassCount {
  readonly passed: number;
  readonly trials: number;
}

/**
 * Returns the 95th percentile: the linear interpolation between sorted values at index 0.95 × (n −
 * 1).
 */
export function percentile95(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const index = 0.95 * (sorted.length - 1);
  const below = sorted[Math.floor(index)];
  const above = sorted[Math.ceil(index)];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (index - Math.floor(index));
}

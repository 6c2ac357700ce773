/**
 * The bounds between which a trial plan continues. `logRatio` is the logarithm of a likelihood
 * ratio: the likelihood of the results with the drop, divided by their likelihood at the healthy
 * rate. At `upper` or above the case fails; at `lower` or below it passes.
 */
export interface Bounds {
  /** The amount by which a failed trial raises the ratio. */
  readonly failedWeight: number;
  /** The amount by which a passed trial lowers the ratio. */
  readonly passedWeight: number;
  readonly lower: number;
  readonly upper: number;
  /** The pass rate at which the results are equally likely with and without the drop. */
  readonly balance: number;
}

/** Counts may lie exactly on a bound, but computed logarithms miss the bound by rounding. */
const onLine = 1e-9;
const onBalance = 1e-12;

export function planBounds(rates: {
  readonly healthyRate: number;
  readonly regressedRate: number;
  readonly falseFail: number;
  readonly miss: number;
}): Bounds {
  const { healthyRate, regressedRate, falseFail, miss } = rates;
  const failedWeight = Math.log((1 - regressedRate) / (1 - healthyRate));
  const passedWeight = Math.log(healthyRate / regressedRate);
  return {
    failedWeight,
    passedWeight,
    lower: Math.log(miss / (1 - falseFail)),
    upper: Math.log((1 - miss) / falseFail),
    balance: failedWeight / (failedWeight + passedWeight),
  };
}

export function logRatio(bounds: Bounds, passed: number, trials: number): number {
  return (trials - passed) * bounds.failedWeight - passed * bounds.passedWeight;
}

export function lineReached(
  bounds: Bounds,
  passed: number,
  trials: number,
): 'passed' | 'failed' | undefined {
  const ratio = logRatio(bounds, passed, trials);
  if (ratio >= bounds.upper - onLine) return 'failed';
  return ratio <= bounds.lower + onLine ? 'passed' : undefined;
}

export function passesAtCap({ balance }: Bounds, cap: number): number {
  return Math.ceil(cap * (balance - onBalance));
}

/**
 * Returns the lowest pass rate that passes. If a pass rate at the cap equals the balance except for
 * rounding, it becomes the threshold, so that rounding does not decide the case.
 */
export function thresholdAtCap(bounds: Bounds, cap: number): number {
  const passRate = passesAtCap(bounds, cap) / cap;
  return Math.abs(passRate - bounds.balance) < 2 * onBalance ? passRate : bounds.balance;
}

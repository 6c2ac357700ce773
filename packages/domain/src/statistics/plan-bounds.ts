/**
 * The lines between which a trial plan goes on. `logRatio` is the logarithm of how much likelier
 * the results are after the drop than at the healthy rate. From `upper` on the case fails, down to
 * `lower` it passes.
 */
export interface Bounds {
  /** The weight of a failed trial: by how much it raises the ratio. */
  readonly failedWeight: number;
  /** The weight of a passed trial: by how much it lowers the ratio. */
  readonly passedWeight: number;
  readonly lower: number;
  readonly upper: number;
  /** The pass rate at which the results are equally likely at both rates. */
  readonly balance: number;
}

/** Counts may lie exactly on a line, where logarithms miss it by their rounding. */
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

/** Returns the fewest passed trials with which the case passes at the cap. */
export function passesAtCap({ balance }: Bounds, cap: number): number {
  return Math.ceil(cap * (balance - onBalance));
}

/**
 * Returns the pass rate from which on the case passes. A pass rate at the cap that equals the
 * balance but for rounding is the threshold itself, so that the policy does not decide it by the
 * last digit.
 */
export function thresholdAtCap(bounds: Bounds, cap: number): number {
  const passRate = passesAtCap(bounds, cap) / cap;
  return Math.abs(passRate - bounds.balance) < 2 * onBalance ? passRate : bounds.balance;
}

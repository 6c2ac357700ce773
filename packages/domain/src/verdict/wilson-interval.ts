/**
 * The 95 % Wilson score interval of a proportion. It is defined for every sample, including small
 * and one-sided ones. Its lower end is exactly 0 if nothing succeeded, and its upper end exactly 1
 * if everything did, so that rounding cannot move them. Without trials there is no interval.
 */
export const confidence = 0.95;
const z95 = 1.959963984540054;

export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

export function wilsonInterval(successes: number, trials: number): Interval | null {
  if (trials === 0) return null;
  const proportion = successes / trials;
  const spread = z95 ** 2 / trials;
  const center = (proportion + spread / 2) / (1 + spread);
  const variance = (proportion * (1 - proportion) + spread / 4) / trials;
  const half = (z95 * Math.sqrt(variance)) / (1 + spread);
  return {
    lower: successes === 0 ? 0 : Math.max(0, center - half),
    upper: successes === trials ? 1 : Math.min(1, center + half),
  };
}

/** One group beside all others: it stands out where its value is at least twice theirs. */
export interface Outlier {
  readonly value: number;
  readonly rest: number;
}

/** How many values each side must have. */
const fewest = 3;
const timesTheRest = 2;

export function outlierOf(
  own: readonly number[],
  rest: readonly number[],
  measure: (values: readonly number[]) => number,
): Outlier | undefined {
  if (own.length < fewest || rest.length < fewest) return undefined;
  const found = { value: measure(own), rest: measure(rest) };
  return found.rest > 0 && found.value >= timesTheRest * found.rest ? found : undefined;
}

export function isFarAbove(value: number, { rest }: Pick<Outlier, 'rest'>): boolean {
  return value >= timesTheRest * rest;
}

/** The smallest value that at least 95 % of them do not exceed. */
export function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.95) - 1)] ?? 0;
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

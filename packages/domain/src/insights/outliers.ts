/**
 * Compares one group with all others: the group is an outlier if its value is at least twice the
 * value of the others.
 */
export interface Outlier {
  readonly value: number;
  readonly rest: number;
}

/** The minimum number of values in the group, and also of the values outside the group. */
export const fewest = 3;
const timesTheRest = 2;

export function outlierOf(
  own: readonly number[],
  rest: readonly number[],
  measure: (values: readonly number[]) => number | undefined,
): Outlier | undefined {
  if (own.length < fewest || rest.length < fewest) return undefined;
  const [value, others] = [measure(own) ?? 0, measure(rest) ?? 0];
  return others > 0 && value >= timesTheRest * others ? { value, rest: others } : undefined;
}

export function isFarAbove(value: number, { rest }: Pick<Outlier, 'rest'>): boolean {
  return value >= timesTheRest * rest;
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

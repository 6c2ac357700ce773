/**
 * Compares two numbers. If one is unknown, so is the difference; a change from zero has no
 * percentage.
 */
export interface NumberChange {
  readonly base: number | null;
  readonly compare: number | null;
  readonly delta: number | null;
  readonly percentDelta: number | null;
}

export function numericDiff(base: number | null, compare: number | null): NumberChange {
  if (base === null || compare === null) return { base, compare, delta: null, percentDelta: null };
  const delta = compare - base;
  return { base, compare, delta, percentDelta: base === 0 ? null : (delta / base) * 100 };
}

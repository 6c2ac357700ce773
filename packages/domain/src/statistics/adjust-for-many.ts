/**
 * Adjusts the p-values (`chances`) of many comparisons and keeps their order. Each adjusted p-value
 * is compared with the significance level as if it were the only one.
 */

/**
 * Holm's method: if every adjusted p-value up to 5 % counts as a change, the chance of at least one
 * wrong change is at most 5 %.
 */
export function adjustByHolm(chances: readonly number[]): number[] {
  return adjust(chances, (sorted) => {
    let largest = 0;
    return sorted.map((chance, at) => {
      largest = Math.max(largest, Math.min(1, chance * (sorted.length - at)));
      return largest;
    });
  });
}

/**
 * Benjamini and Hochberg's method: of the changes with an adjusted p-value up to 5 %, about one in
 * twenty is wrong.
 */
export function adjustByBenjaminiHochberg(chances: readonly number[]): number[] {
  return adjust(chances, (sorted) => {
    let smallest = 1;
    return sorted
      .map((chance, at) => (chance * sorted.length) / (at + 1))
      .reverse()
      .map((chance) => {
        smallest = Math.min(smallest, chance);
        return smallest;
      })
      .reverse();
  });
}

function adjust(chances: readonly number[], ofSorted: (sorted: number[]) => number[]): number[] {
  const order = [...chances.keys()].sort(
    (one, other) => (chances[one] ?? 0) - (chances[other] ?? 0),
  );
  const adjusted = ofSorted(order.map((index) => chances[index] ?? 0));
  const byIndex = new Array<number>(chances.length);
  for (const [at, index] of order.entries()) byIndex[index] = adjusted[at] ?? 1;
  return byIndex;
}

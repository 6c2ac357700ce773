/**
 * Computes pass@k and pass^k from n graded trials, of which c passed. k trials are drawn without
 * replacement.
 *
 * - pass@k: the chance that at least one of them passed, 1 - C(n-c, k) / C(n, k).
 * - pass^k: the chance that all of them passed, C(c, k) / C(n, k).
 *
 * Both are null unless 1 <= k <= n.
 */
export function passAtK(trials: number, passed: number, k: number): number | null {
  const allFailed = drawAll(trials, trials - passed, k);
  return allFailed === null ? null : 1 - allFailed;
}

export function passHatK(trials: number, passed: number, k: number): number | null {
  return drawAll(trials, passed, k);
}

/**
 * Returns the chance that k of `trials`, drawn without replacement, are all among the `wanted`
 * ones.
 */
function drawAll(trials: number, wanted: number, k: number): number | null {
  if (!Number.isInteger(k) || k < 1 || k > trials) return null;
  if (wanted < k) return 0;
  let chance = 1;
  for (let drawn = 0; drawn < k; drawn += 1) chance *= (wanted - drawn) / (trials - drawn);
  return chance;
}

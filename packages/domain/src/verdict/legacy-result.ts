/**
 * The result of a legacy run: passed if the share of passed trials reaches one percent threshold.
 * There is no check for enough evidence, so a legacy run is never inconclusive; without a trial it
 * has no result. The threshold is never applied to single cases.
 */
import type { TaskVerdict } from './decision.ts';

export function legacyResult(
  counts: { readonly total: number; readonly passed: number },
  minimumPassRatePercent: number,
): TaskVerdict | undefined {
  const { total, passed } = counts;
  if (!Number.isSafeInteger(total) || !Number.isSafeInteger(passed)) return undefined;
  if (total < 1 || passed < 0 || passed > total) return undefined;
  if (!(minimumPassRatePercent >= 0 && minimumPassRatePercent <= 100)) return undefined;
  // Multiplying first keeps every whole percent exact: 29 of 100 is 29, not 28.999999999999996.
  return (passed * 100) / total >= minimumPassRatePercent ? 'passed' : 'failed';
}

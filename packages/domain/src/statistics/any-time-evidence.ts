/**
 * Evidence about a pass rate that may be read after every trial. The e-value of a statement grows
 * when the results speak against it. If the statement is true, the e-value ever reaches 1/α with a
 * chance of at most α, however often somebody looks. It compares the chance of the results at the
 * stated rate with their average chance over all rates on the other side.
 */
import type { PassCount } from '../gates/measures.ts';
import { logBeta, logIncompleteBeta } from './incomplete-beta.ts';

/** Both are rounded, so the bound is a little wider. */
const rounding = 1e-6;

/** Returns the logarithm of the evidence against "the pass rate is at least `rate`". */
export function logEvidenceBelow({ passed, trials }: PassCount, rate: number): number {
  const failed = trials - passed;
  if (rate <= 0) return 0;
  // A single failure disproves a rate of 1.
  if (rate >= 1) return failed > 0 ? Number.POSITIVE_INFINITY : -Math.log(trials + 1);
  const logAverage =
    logBeta(passed + 1, failed + 1) +
    logIncompleteBeta(rate, passed + 1, failed + 1) -
    Math.log(rate);
  return logAverage - passed * Math.log(rate) - failed * Math.log1p(-rate);
}

/** Returns the logarithm of the evidence against "the pass rate is at most `rate`". */
export function logEvidenceAbove({ passed, trials }: PassCount, rate: number): number {
  return logEvidenceBelow({ passed: trials - passed, trials }, 1 - rate);
}

/**
 * Returns a bound of `logEvidenceBelow` from above that costs little. No rate explains the results
 * better than the observed one, so an average over rates is at most as likely.
 */
export function boundOfEvidenceBelow({ passed, trials }: PassCount, rate: number): number {
  const observed = passed / trials;
  if (rate <= 0 || observed >= rate) return 0;
  if (rate >= 1) return Number.POSITIVE_INFINITY;
  const ofPassed = passed === 0 ? 0 : passed * Math.log(observed / rate);
  return ofPassed + (trials - passed) * Math.log((1 - observed) / (1 - rate)) + rounding;
}

export function boundOfEvidenceAbove({ passed, trials }: PassCount, rate: number): number {
  return boundOfEvidenceBelow({ passed: trials - passed, trials }, 1 - rate);
}

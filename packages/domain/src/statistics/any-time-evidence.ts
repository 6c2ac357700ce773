/**
 * Evidence about a pass rate that may be checked after every trial. The e-value of a statement
 * grows with results that contradict the statement. For a true statement, the probability that the
 * e-value ever reaches 1/α is at most α, however often it is checked.
 */
import type { PassCount } from '../gates/measures.ts';
import { logBeta, logIncompleteBeta } from './incomplete-beta.ts';

/** Added to the bound, since the bound and the exact value are both rounded. */
const rounding = 1e-6;

/** Returns the logarithm of the evidence against "the pass rate is at least `rate`". */
export function logEvidenceBelow({ passed, trials }: PassCount, rate: number): number {
  const failed = trials - passed;
  if (rate <= 0) return 0;
  // A single failure disproves a rate of 1.
  if (rate >= 1) return failed > 0 ? Number.POSITIVE_INFINITY : -Math.log(trials + 1);
  const logWhole = logBeta(passed + 1, failed + 1);
  const logAverage =
    logWhole + logIncompleteBeta(rate, passed + 1, failed + 1, logWhole) - Math.log(rate);
  return logAverage - passed * Math.log(rate) - failed * Math.log1p(-rate);
}

/** Returns how fast `logE`, the result of `logEvidenceBelow`, grows with the rate. */
export function slopeOfEvidenceBelow(
  { passed, trials }: PassCount,
  rate: number,
  logE: number,
): number {
  return (Math.exp(-logE) - passed - 1) / rate + (trials - passed) / (1 - rate);
}

/** Returns the logarithm of the evidence against "the pass rate is at most `rate`". */
export function logEvidenceAbove({ passed, trials }: PassCount, rate: number): number {
  return logEvidenceBelow({ passed: trials - passed, trials }, 1 - rate);
}

/** Returns what the evidence after so many trials is at most. */
export type EvidenceBound = (passed: number, trials: number) => number;

/**
 * Returns an upper bound of `logEvidenceBelow` that is cheap to compute. The average up to the rate
 * is at most the average over all rates, which needs no incomplete beta function. If the observed
 * rate is not below the stated one, there is no evidence against it.
 */
export function boundOfEvidenceBelow(rate: number): EvidenceBound {
  if (rate <= 0) return () => 0;
  if (rate >= 1) return () => Number.POSITIVE_INFINITY;
  const [logPassed, logFailed] = [Math.log(rate), Math.log1p(-rate)];
  return (passed, trials) => {
    if (passed >= trials * rate) return 0;
    const failed = trials - passed;
    const logAll = logFactorial(passed) + logFactorial(failed) - logFactorial(trials + 1);
    return logAll - logPassed - passed * logPassed - failed * logFailed + rounding;
  };
}

export function boundOfEvidenceAbove(rate: number): EvidenceBound {
  const below = boundOfEvidenceBelow(1 - rate);
  return (passed, trials) => below(trials - passed, trials);
}

/** Histories of thousands of trials ask for the same logarithms again and again. */
let logFactorials = Float64Array.of(0, 0);

function logFactorial(n: number): number {
  if (n >= logFactorials.length) {
    const known = logFactorials.length;
    const grown = new Float64Array(2 * n);
    grown.set(logFactorials);
    for (let at = known; at < grown.length; at += 1) {
      grown[at] = (grown[at - 1] ?? 0) + Math.log(at);
    }
    logFactorials = grown;
  }
  return logFactorials[n] ?? 0;
}

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

export type BoundAt = (rate: number) => (counts: PassCount) => number;

/**
 * Returns bounds of `logEvidenceBelow` from above that cost next to nothing, for histories of up to
 * so many trials. The average up to the rate is at most that over all rates, which needs no
 * incomplete beta function. If the observed rate is not below the stated one, nothing speaks
 * against it.
 */
export function boundsOfEvidenceBelow(mostTrials: number): BoundAt {
  const logFactorials = new Float64Array(mostTrials + 2);
  for (let n = 2; n < logFactorials.length; n += 1) {
    logFactorials[n] = (logFactorials[n - 1] ?? 0) + Math.log(n);
  }
  const logFactorial = (n: number) => logFactorials[n] ?? 0;
  return (rate) => {
    if (rate <= 0) return () => 0;
    if (rate >= 1) return () => Number.POSITIVE_INFINITY;
    const [logPassed, logFailed] = [Math.log(rate), Math.log1p(-rate)];
    return ({ passed, trials }) => {
      if (passed >= trials * rate) return 0;
      const failed = trials - passed;
      const logAll = logFactorial(passed) + logFactorial(failed) - logFactorial(trials + 1);
      return logAll - logPassed - passed * logPassed - failed * logFailed + rounding;
    };
  };
}

export function boundsOfEvidenceAbove(mostTrials: number): BoundAt {
  const below = boundsOfEvidenceBelow(mostTrials);
  return (rate) => {
    const bound = below(1 - rate);
    return ({ passed, trials }) => bound({ passed: trials - passed, trials });
  };
}

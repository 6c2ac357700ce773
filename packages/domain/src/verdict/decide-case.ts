/**
 * The decision of one case. Attempted trials are those that have started, so none that is pending,
 * unreported, skipped or cancelled. Eligible trials are the graded ones. The pass rate and the
 * stability are over the eligible trials, the completion rate over the attempted ones. Without an
 * eligible trial the case is inconclusive, even at threshold 0; a pass rate equal to the threshold
 * passes.
 */
import type { CaseTally } from './case-tally.ts';
import type { CaseReason, DecisionCase, Exclusions, Rate, Verdict } from './decision.ts';
import { rate, sumExclusions } from './rate.ts';

export function decideCase(tally: CaseTally): DecisionCase {
  const { caseId, executionVariant, configuredTrials, effectivePassThreshold } = tally;
  const { passedTrials, failedTrials, exclusions } = tally;
  const eligibleTrials = passedTrials + failedTrials;
  const unattempted = unattemptedTrials(tally);
  const attemptedTrials =
    configuredTrials - Object.values(unattempted).reduce((sum, count) => sum + count, 0);
  const completedTrials = eligibleTrials + (exclusions.evaluatorError ?? 0);
  const passRate = rate(passedTrials, eligibleTrials, exclusions);
  return {
    caseId,
    ...(executionVariant !== undefined && { executionVariant }),
    configuredTrials,
    attemptedTrials,
    eligibleTrials,
    passedTrials,
    failedTrials,
    effectivePassThreshold,
    passRate,
    completionRate: rate(completedTrials, attemptedTrials, unattempted),
    observedStability: rate(Math.max(passedTrials, failedTrials), eligibleTrials, exclusions),
    mixedVerdict: passedTrials > 0 && failedTrials > 0,
    ...judge(passRate, effectivePassThreshold),
  };
}

function unattemptedTrials({ exclusions, runningTrials }: CaseTally): Exclusions {
  const { notTerminal = 0, skipped = 0, cancelled = 0 } = exclusions;
  return sumExclusions([{ notTerminal: notTerminal - runningTrials, skipped, cancelled }]);
}

function judge(passRate: Rate, threshold: number): { verdict: Verdict; reason: CaseReason } {
  if (passRate.state === 'notMeasured') {
    return { verdict: 'inconclusive', reason: 'caseHasNoEligibleTrials' };
  }
  return passRate.value >= threshold
    ? { verdict: 'passed', reason: 'casePassRateMetThreshold' }
    : { verdict: 'failed', reason: 'casePassRateBelowThreshold' };
}

/**
 * User value: when the grader failed, nothing is known. Otherwise assertions decide, and a judge is
 * heard only where there are none. The pass threshold and the partial floor are both inclusive, and
 * a partial score is a failure. A score that is no fraction is a failed judge, never a clamped one.
 */
import { userValueAssertions } from './assertion-owner.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import type { JudgeEvidence, TrialEvidence } from './trial-evidence.ts';

export function measureUserValue(evidence: TrialEvidence): Measurement {
  if (evidence.evaluatorError) return notMeasured('evaluatorError');
  const assertions = userValueAssertions(evidence.assertions, evidence.authored.hasPrompt);
  const broken = assertions.filter((assertion) => !assertion.passed);
  if (broken.length > 0) {
    return failed('predicateFailed', {
      turns: broken,
      reasons: broken.map((assertion) => assertion.reason),
    });
  }
  if (assertions.length > 0) return passed('observed', { turns: assertions });
  return evidence.tracePresent ? hearJudge(evidence.judge) : notMeasured('traceAbsent');
}

function hearJudge(judge: JudgeEvidence | undefined): Measurement {
  if (judge === undefined) return notMeasured('judgeNotRequested');
  if (judge.status === 'pending') return notMeasured('judgePending');
  if (judge.status === 'errored') return notMeasured('evaluatorError');
  const { score, threshold, partialFloor, reason } = judge;
  if (![score, threshold, partialFloor].every(isFraction)) return notMeasured('evaluatorError');
  if (score >= threshold) return passed('judgeObserved', { reasons: [reason] });
  return failed(score >= partialFloor ? 'judgePartial' : 'judgeFailed', { reasons: [reason] });
}

function isFraction(value: number): boolean {
  return value >= 0 && value <= 1;
}

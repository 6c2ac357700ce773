/**
 * User value: if the grader failed, nothing is known. Otherwise assertions decide; a judged
 * assertion gives its own reason if no other assertion failed. The judge of the suite counts only
 * without assertions. The pass threshold and the partial floor are both inclusive, and a partial
 * score is a failure. A score that is no fraction is a failed judge and is never clamped.
 */
import { assertionsOf } from './assertion-owner.ts';
import { failed, type Measurement, notMeasured, passed } from './measurement.ts';
import type {
  AssertionEvidence,
  JudgedAs,
  JudgeEvidence,
  TrialEvidence,
} from './trial-evidence.ts';

export function measureUserValue(evidence: TrialEvidence): Measurement {
  if (evidence.evaluatorError) return notMeasured('evaluatorError');
  const { broken, held, hasUnanswered } = assertionsOf('userValue', evidence);
  if (broken.length > 0) {
    return failed(wordFor(broken), {
      turns: broken,
      reasons: broken.map((assertion) => assertion.reason),
    });
  }
  if (hasUnanswered) return notMeasured('evaluatorError');
  if (held.length > 0) {
    return passed(held.every(isJudged) ? 'judgeObserved' : 'observed', { turns: held });
  }
  return evidence.tracePresent ? hearJudge(evidence.judge) : notMeasured('traceAbsent');
}

function wordFor(broken: readonly AssertionEvidence[]): 'predicateFailed' | JudgedAs {
  if (!broken.every(isJudged)) return 'predicateFailed';
  return broken.every(({ judgedAs }) => judgedAs === 'judgePartial')
    ? 'judgePartial'
    : 'judgeFailed';
}

function isJudged({ type }: AssertionEvidence): boolean {
  return type === 'goalCompleted';
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

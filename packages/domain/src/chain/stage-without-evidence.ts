/** The reason of a stage without any usable evidence. */
import type { TrialEvidence } from './trial-evidence.ts';
import type { reasonsOf, StageReason } from './vocabulary.ts';

type NotMeasuredReason = (typeof reasonsOf)['notMeasured'][number];

/**
 * Returns the reason for stages that set-up signals decide, where spans are not the only evidence.
 */
export function stageWithoutSignal(evidence: TrialEvidence): NotMeasuredReason {
  return evidence.tracePresent ? 'noEvidenceCaptured' : 'traceAbsent';
}

/** Returns the reason for stages that depend on the records of the executor. */
export function stageWithoutTrace(evidence: TrialEvidence): NotMeasuredReason {
  if (!evidence.tracePresent) return 'traceAbsent';
  return evidence.executorEmitsSpans ? 'noEvidenceCaptured' : 'executorEmitsNoSpans';
}

export function isMissingEvidence(reason: StageReason): boolean {
  return wantsOfEvidence.includes(reason);
}

const wantsOfEvidence: readonly StageReason[] = [
  'noSpanChannel',
  'noEvidenceCaptured',
  'traceAbsent',
  'executorEmitsNoSpans',
];

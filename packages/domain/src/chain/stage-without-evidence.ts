import type { TrialEvidence } from './trial-evidence.ts';
import type { reasonsOf, StageReason } from './vocabulary.ts';

type NotMeasuredReason = (typeof reasonsOf)['notMeasured'][number];

/**
 * Returns why a stage is not measured, for stages that set-up signals can decide even without
 * spans.
 */
export function stageWithoutSignal(evidence: TrialEvidence): NotMeasuredReason {
  return evidence.tracePresent ? 'noEvidenceCaptured' : 'traceAbsent';
}

/** Returns why a stage is not measured, for stages that only spans can decide. */
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

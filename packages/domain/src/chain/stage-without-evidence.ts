import type { TrialEvidence } from './trial-evidence.ts';
import type { reasonsOf, StageReason } from './vocabulary.ts';

type NotMeasuredReason = (typeof reasonsOf)['notMeasured'][number];

/** For stages that set-up signals can decide even without spans. */
export function stageWithoutSignal(evidence: TrialEvidence): NotMeasuredReason {
  return evidence.tracePresent ? 'noEvidenceCaptured' : 'traceAbsent';
}

/** For stages that only the executor's spans can decide. */
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

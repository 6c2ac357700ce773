/** What a stage says when nothing eligible was captured for it, and how to know it said only that. */
import type { TrialEvidence } from './trial-evidence.ts';
import type { reasonsOf, StageReason } from './vocabulary.ts';

type NotMeasuredReason = (typeof reasonsOf)['notMeasured'][number];

/** For stages that set-up signals decide, where spans are not the only way to know. */
export function stageWithoutSignal(evidence: TrialEvidence): NotMeasuredReason {
  return evidence.tracePresent ? 'noEvidenceCaptured' : 'traceAbsent';
}

/** For stages that rest on what the executor recorded while it ran. */
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

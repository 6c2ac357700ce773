/**
 * Returns the category of a trial's failure, from its first failed stage and the reason there. If
 * no stage failed, only a broken grader or a failed model provider gives a category. The grader is
 * checked first, because its failure fits no other category.
 */
import { metadataQuotes } from './metadata-quotes.ts';
import { isTransportLocal } from './tool-spans.ts';
import type { TrialEvidence } from './trial-evidence.ts';
import type { FailureCategory, StageResultRow } from './vocabulary.ts';

export function categorizeFailure(
  rows: readonly StageResultRow[],
  evidence: TrialEvidence,
): FailureCategory | undefined {
  const first = rows.find((row) => row.state === 'failed');
  switch (first?.stage) {
    case undefined:
      return categorizeWithoutFailure(rows, evidence);
    case 'connection':
      return 'setup';
    case 'discovery':
      return first?.reason === 'predicateFailed' ? 'metadata' : 'setup';
    case 'selection':
      return metadataQuotes(evidence).length > 0 ? 'metadata' : 'selection';
    case 'call':
      if (first?.reason === 'argumentMismatch') return 'arguments';
      return evidence.spans.some(isTransportLocal) ? 'setup' : 'serverData';
    case 'response':
      return 'serverData';
    case 'userValue':
      return 'userValue';
  }
}

/**
 * Returns every failure category that is possible if `first` is the first failed row of a stage
 * chain. `version` is the analyzer version that wrote the chain.
 */
export function categoriesOf(
  first: StageResultRow | undefined,
  version: number,
): readonly FailureCategory[] {
  switch (first?.stage) {
    case undefined:
      return ['setup', 'evaluator'];
    case 'connection':
      return ['setup'];
    case 'discovery':
      // In version 1 a discovery failure was always a set-up failure, since there were no
      // assertions about listed tools.
      if (version < 2) return ['setup'];
      if (first?.reason === undefined) return ['setup', 'metadata'];
      return first.reason === 'predicateFailed' ? ['metadata'] : ['setup'];
    case 'selection':
      return ['selection', 'metadata'];
    case 'call':
      if (first?.reason === undefined) return ['arguments', 'setup', 'serverData'];
      return first.reason === 'argumentMismatch' ? ['arguments'] : ['setup', 'serverData'];
    case 'response':
      return ['serverData'];
    case 'userValue':
      return ['userValue'];
  }
}

function categorizeWithoutFailure(
  rows: readonly StageResultRow[],
  evidence: TrialEvidence,
): FailureCategory | undefined {
  const hasFailedGrader = rows.some((row) => row.reason === 'evaluatorError');
  if (evidence.evaluatorError || hasFailedGrader) return 'evaluator';
  return evidence.providerError ? 'setup' : undefined;
}

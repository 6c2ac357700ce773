/**
 * What of the calls of a trial, or of a turn, counts as a difference. Only where the grader says that choosing or calling
 * failed is something marked: what was not measured proves nothing, and where the calls held, those beyond the expected
 * ones were allowed. Without a chain nobody says so, and every difference of a trial that did not pass is marked.
 */
import type { DecisionChain } from '../chain/read-chain.ts';
import type { StageResultRow } from '../chain/vocabulary.ts';

export interface CallMarks {
  /** Calls that are missing, too few or of other arguments. */
  readonly missing: boolean;
  /** Calls that nothing expects. */
  readonly extra: boolean;
}

export const noMarks: CallMarks = { missing: false, extra: false };

export function trialMarks(trial: {
  readonly result?: string | null | undefined;
  readonly chain: DecisionChain;
}): CallMarks {
  if (trial.result === 'passed') return noMarks;
  const { chain } = trial;
  if (chain.status !== 'verified') return { missing: true, extra: true };
  const failed = chain.stages.find(({ stage }) => stage === chain.firstFailedStage);
  return failed === undefined ? noMarks : marksOfStage(failed, chain.stages);
}

function marksOfStage({ stage }: StageResultRow, rows: readonly StageResultRow[]): CallMarks {
  if (stage === 'selection') return { missing: true, extra: true };
  if (stage === 'call') return { missing: true, extra: false };
  // Where no model chooses, a check of the tools is one of user value.
  const isOfChecks = stage === 'userValue' && rows.some(isUnchosen);
  return isOfChecks ? { missing: true, extra: false } : noMarks;
}

function isUnchosen({ stage, state }: StageResultRow): boolean {
  return stage === 'selection' && state === 'notApplicable';
}

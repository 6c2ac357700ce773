/**
 * What of the calls of a trial, or of a turn, counts as a difference. Where it passed nothing does, and what was not
 * measured proves nothing. Calls beyond the expected ones differ only where choosing failed: elsewhere they were allowed.
 * Without a chain nobody says so, and every difference of a trial that did not pass is marked.
 */
import type { DecisionChain } from '@proofmark/domain';

export interface CallDifferences {
  /** Calls that are missing, too few or of other arguments. */
  readonly missing: boolean;
  /** Calls that nothing expects. */
  readonly extra: boolean;
}

export const noDifferences: CallDifferences = { missing: false, extra: false };

export function callDifferences(trial: {
  readonly result?: string | null | undefined;
  readonly chain: DecisionChain;
}): CallDifferences {
  if (trial.result === 'passed') return noDifferences;
  const { chain } = trial;
  if (chain.status !== 'verified') return { missing: true, extra: true };
  const failed = chain.stages.find(({ stage }) => stage === chain.firstFailedStage);
  if (failed === undefined) return noDifferences;
  return { missing: true, extra: failed.stage === 'selection' };
}

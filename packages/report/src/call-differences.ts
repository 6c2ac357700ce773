/**
 * Decides which calls of a trial are marked as different from the expected ones. A passed trial has
 * no marks. Without a failed stage nothing is marked, because the trial was not measured.
 * Additional calls are marked only if the selection failed, because otherwise the case allows them.
 * If the trial has no valid chain, every difference is marked unless it passed.
 */
import type { DecisionChain } from '@proofmark/domain';

export interface CallDifferences {
  readonly missing: boolean;
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

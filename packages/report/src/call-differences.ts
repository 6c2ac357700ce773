/**
 * Decides which differences between expected and actual calls are marked. A trial that passed, or
 * that has no failed stage, gets no marks. Additional calls are marked only if the selection
 * failed, because otherwise the case allows them. If the stage results are invalid, every
 * difference is marked.
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

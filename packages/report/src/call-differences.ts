/**
 * Decides which calls of a trial or a turn count as differences. In a passed trial none does, and
 * an unmeasured one proves nothing. Calls beyond the expected ones count only if the selection
 * failed, since otherwise they were allowed. Without a chain this is unknown, and every difference
 * of a trial that did not pass is marked.
 */
import type { DecisionChain } from '@proofmark/domain';

export interface CallDifferences {
  /** Whether missing calls, too few calls and other arguments are marked. */
  readonly missing: boolean;
  /** Whether unexpected calls are marked. */
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

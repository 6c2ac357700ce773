/** The chain of a trial once more, now that a judge has spoken. Its result and its counts stay what they were. */
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import type { JudgeEvidence, TrialEvidence } from '../chain/trial-evidence.ts';

export function rederiveWithJudge(evidence: TrialEvidence, judge: JudgeEvidence): DerivedChain {
  return deriveChain({ ...evidence, judge });
}

/** The chain of a trial once more, now that a judge has spoken. Its result and its counts stay what they were. */
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import type { AttributionEvidence, JudgeEvidence, TrialEvidence } from '../chain/trial-evidence.ts';

export function rederiveWithJudge(
  evidence: TrialEvidence,
  judge: JudgeEvidence,
  /** Of a wrong selection, where a judge of causes blames the tools. */
  attribution?: AttributionEvidence,
): DerivedChain {
  const judged = { ...evidence, judge };
  return deriveChain(attribution === undefined ? judged : { ...judged, attribution });
}

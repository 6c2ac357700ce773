/**
 * Derives a trial's stage chain again after a judge has answered. The trial's result and counts do
 * not change.
 */
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import type { AttributionEvidence, JudgeEvidence, TrialEvidence } from '../chain/trial-evidence.ts';

export function rederiveWithJudge(
  evidence: TrialEvidence,
  judge: JudgeEvidence,
  /** Set if a judge of causes blames the tools for a wrong selection. */
  attribution?: AttributionEvidence,
): DerivedChain {
  const judged = { ...evidence, judge };
  return deriveChain(attribution === undefined ? judged : { ...judged, attribution });
}

/**
 * Derives the chain of a trial again after a judge's answer. The result and counts of the trial
 * stay.
 */
import { type DerivedChain, deriveChain } from '../chain/derive-chain.ts';
import type { AttributionEvidence, JudgeEvidence, TrialEvidence } from '../chain/trial-evidence.ts';

export function rederiveWithJudge(
  evidence: TrialEvidence,
  judge: JudgeEvidence,
  /** The blame of a judge of causes for a wrong selection, if it blames the tools. */
  attribution?: AttributionEvidence,
): DerivedChain {
  const judged = { ...evidence, judge };
  return deriveChain(attribution === undefined ? judged : { ...judged, attribution });
}

import type { SwarmFinding } from '@proofmark/contract';
import type { StoredFinding } from '../../storage/swarms/findings.ts';

export function presentFinding(finding: StoredFinding): SwarmFinding {
  const { state, firstFailedStage, failureCategory, journeyIds: _, evidence, ...row } = finding;
  return {
    ...{ ...row, ...state },
    ...(firstFailedStage !== null && { firstFailedStage }),
    ...(failureCategory !== null && { failureCategory }),
    evidence: structuredClone(evidence) as SwarmFinding['evidence'],
  };
}

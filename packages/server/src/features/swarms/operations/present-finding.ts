import type { SwarmFinding } from '@proofmark/contract';
import type { StoredFinding } from '../store/findings.ts';

export function presentFinding(finding: StoredFinding): SwarmFinding {
  const { state, firstFailedStage, failureCategory, journeyIds: _, evidence, ...row } = finding;
  const { lastSeenIn: lastSeenWaveId, ...seen } = state;
  return {
    ...row,
    ...seen,
    lastSeenWaveId,
    ...(firstFailedStage !== null && { firstFailedStage }),
    ...(failureCategory !== null && { failureCategory }),
    evidence: structuredClone(evidence) as SwarmFinding['evidence'],
  };
}

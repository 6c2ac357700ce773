import type { SwarmFinding } from '@proofmark/contract';
import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listIfFeatureOn } from '../../../platform/operations/list-if-feature-on.ts';
import { listFindings, type StoredFinding } from '../store/findings.ts';

export const listSwarmFindings: Action<'listSwarmFindings'> = (context, { query, page }) =>
  listIfFeatureOn(context, 'swarms', async () => {
    const { status, dismissed } = query;
    const filter = {
      status,
      dismissed: dismissed === undefined ? undefined : dismissed === 'true',
    };
    return presentPage(
      await context.tenant((sql) => listFindings(sql, context.project.id, filter, page)),
      presentFinding,
    );
  });

function presentFinding(finding: StoredFinding): SwarmFinding {
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

import type { ScenarioFinding } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import { listScenarioFindings, type StoredScenarioFinding } from '../store/scenario-findings.ts';
import { findScenario } from './find-scenario.ts';

export const listUserTestingFindings: Action<'listUserTestingFindings'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const scenario = await findScenario(sql, context.project.id, params.scenarioId);
    return { items: (await listScenarioFindings(sql, scenario.id)).map(present) };
  });

function present(finding: StoredScenarioFinding): ScenarioFinding {
  const { state, firstFailedStage, failureCategory, countedSessionIds: _, ...row } = finding;
  const { lastSeenIn: lastSeenWindowId, ...seen } = state;
  return {
    ...row,
    ...seen,
    lastSeenWindowId,
    _id: finding.id,
    ...(firstFailedStage !== null && { firstFailedStage }),
    ...(failureCategory !== null && { failureCategory }),
    evidence: structuredClone(finding.evidence) as ScenarioFinding['evidence'],
  };
}

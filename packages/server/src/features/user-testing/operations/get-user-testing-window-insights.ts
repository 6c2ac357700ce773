import { insightErrors, notFound } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { findInsights, presentExplanation } from '../../insights/index.ts';
import { listScenarioFindings } from '../store/scenario-findings.ts';
import { findWindow } from '../store/windows.ts';
import { findScenario } from './find-scenario.ts';
import { presentCandidate } from './get-user-testing-signals.ts';

export const getUserTestingWindowInsights: Action<'getUserTestingWindowInsights'> = (
  context,
  { params },
) =>
  context.tenant(async (sql) => {
    const scenario = await findScenario(sql, context.project.id, params.scenarioId);
    const window = await findWindow(sql, scenario.id, params.windowId);
    if (window === undefined) return refuse(notFound);
    const stored = await findInsights(sql, 'user_testing_window', window.id);
    if (stored === undefined) return refuse(nobodyAsked);
    const { status, errorCode, updatedAt } = stored;
    const findings = await listScenarioFindings(sql, scenario.id);
    const statuses = new Map(findings.map((one) => [one.fingerprint, one.state.status]));
    return {
      windowId: window.id,
      status,
      updatedAt,
      errorCode: status === 'failed' ? errorCode : null,
      errorMessage: status === 'failed' && errorCode !== null ? insightErrors[errorCode] : null,
      insights:
        status === 'completed' ? presentExplanation(stored, statuses, presentCandidate) : null,
    };
  });

const nobodyAsked = {
  code: 'NOT_FOUND',
  message: 'This window has no insights yet; request them first.',
  details: { reason: 'NOT_REQUESTED' },
} as const;

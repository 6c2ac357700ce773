import { notFound, stepOfInsights } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { closeNarration, holdInsights, releaseInsights } from '../../insights/index.ts';
import { findWindow } from '../store/windows.ts';
import { findScenario } from './find-scenario.ts';

const kind = 'user_testing_window';

export const cancelUserTestingInsights: Action<'cancelUserTestingInsights'> = (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const { id: projectId, organizationId } = context.project;
    const { id: scenarioId } = await findScenario(sql, projectId, params.scenarioId);
    const window = await findWindow(sql, scenarioId, body.windowId);
    if (window === undefined) return refuse(notFound);
    const of = { organizationId, projectId, kind, scopeId: window.id } as const;
    const { outcome } = stepOfInsights(kind, (await holdInsights(sql, of)).state, 'released');
    if (outcome === 'neverAsked') return refuse(notFound);
    if (outcome === 'released') {
      await releaseInsights(sql, of);
      await closeNarration(sql, of);
      await recordAudit(sql, context, {
        action: 'scenario.insightsReleased',
        subjectId: scenarioId,
      });
    }
    return { scenarioId, projectId, windowId: window.id, canceled: true } as const;
  });

import { notFound } from '@proofmark/domain';
import { type Action, type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { setScenarioFindingDismissed } from '../store/scenario-findings.ts';
import { findScenario } from './find-scenario.ts';

export const dismissUserTestingFinding: Action<'dismissUserTestingFinding'> = (
  context,
  { params },
) => setState(context, params, true);

export const undismissUserTestingFinding: Action<'undismissUserTestingFinding'> = (
  context,
  { params },
) => setState(context, params, false);

function setState(
  context: ProjectContext,
  params: { readonly scenarioId: string; readonly findingId: string },
  dismissed: boolean,
) {
  const projectId = context.project.id;
  return context.tenant(async (sql) => {
    const { id: scenarioId } = await findScenario(sql, projectId, params.scenarioId);
    const id = params.findingId;
    const outcome = await setScenarioFindingDismissed(sql, scenarioId, id, dismissed);
    if (outcome === 'notThere') return refuse(notFound);
    if (outcome === 'changed') {
      const action = dismissed ? 'finding.dismissed' : 'finding.undismissed';
      await recordAudit(sql, context, { action, subjectId: id });
    }
    return { id, scenarioId, projectId, dismissed };
  });
}

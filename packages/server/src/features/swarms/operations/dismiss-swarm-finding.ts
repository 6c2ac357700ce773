import { notFound } from '@proofmark/domain';
import { type Action, type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { setDismissed } from '../store/findings.ts';

export const dismissSwarmFinding: Action<'dismissSwarmFinding'> = (context, { params }) =>
  setState(context, params.findingId, true);

export const undismissSwarmFinding: Action<'undismissSwarmFinding'> = (context, { params }) =>
  setState(context, params.findingId, false);

function setState(context: ProjectContext, id: string, dismissed: boolean) {
  const projectId = context.project.id;
  return context.tenant(async (sql) => {
    const outcome = await setDismissed(sql, projectId, id, dismissed);
    if (outcome === 'notThere') return refuse(notFound);
    if (outcome === 'changed') {
      const action = dismissed ? 'finding.dismissed' : 'finding.undismissed';
      await recordAudit(sql, context, { action, subjectId: id });
    }
    return { id, projectId, dismissed };
  });
}

import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import { findEnvironment } from '../../environments/index.ts';
import { revokeAllGrants } from '../store/scenario-grants.ts';
import { markAllMembersRemoved } from '../store/scenario-members.ts';
import { markScenarioUnpublished, readScenarioOf } from '../store/scenarios.ts';

export const unpublishScenario: Action<'unpublishScenario'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { id: projectId } = context.project;
    const { id: environmentId } = await findEnvironment(sql, projectId, params.environmentId);
    const scenario = await readScenarioOf(sql, projectId, environmentId, 'forUpdate');
    if (scenario === undefined) return { environmentId, deleted: false };
    const { id } = scenario;
    await markScenarioUnpublished(sql, id);
    await revokeAllGrants(sql, id);
    await markAllMembersRemoved(sql, id);
    await recordAudit(sql, context, {
      action: 'scenario.unpublished',
      subjectId: id,
      details: { environmentId },
    });
    return { environmentId, deleted: true, id };
  });

import { revokeAllGrants } from '../../storage/user-testing/scenario-grants.ts';
import { markAllMembersRemoved } from '../../storage/user-testing/scenario-members.ts';
import { markScenarioUnpublished, readScenarioOf } from '../../storage/user-testing/scenarios.ts';
import type { Action } from '../action.ts';
import { findEnvironment } from '../environments/find-environment.ts';
import { recordAudit } from '../record-audit.ts';

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

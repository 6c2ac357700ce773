import type { Action } from '../../../platform/operations/action.ts';
import { readScenarioMembers } from '../store/scenario-members.ts';
import { findScenario } from './find-scenario.ts';

export const listScenarioMembers: Action<'listScenarioMembers'> = async (context, { params }) => {
  const members = await context.tenant(async (sql) => {
    const { id } = await findScenario(sql, context.project.id, params.scenarioId);
    return readScenarioMembers(sql, id);
  });
  const items = members.map(({ id, email, role, invitedAt, acceptedAt }) => ({
    id,
    email,
    role,
    invitedAt: invitedAt.getTime(),
    acceptedAt: acceptedAt?.getTime() ?? null,
  }));
  return { items };
};

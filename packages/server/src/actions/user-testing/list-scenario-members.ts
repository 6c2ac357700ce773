import { readScenarioMembers } from '../../storage/user-testing/scenario-members.ts';
import type { Action } from '../action.ts';
import { findScenario } from './find-scenario.ts';

export const listScenarioMembers: Action<'listScenarioMembers'> = async (context, { params }) => {
  const members = await context.tenant(async (sql) => {
    const { id } = await findScenario(sql, context.project.id, params.scenarioId);
    return readScenarioMembers(sql, id);
  });
  const items = members.map(({ id, email, role, invitedAt, acceptedAt }) => ({
    ...{ id, email, role },
    invitedAt: invitedAt.getTime(),
    acceptedAt: acceptedAt?.getTime() ?? null,
  }));
  return { items };
};

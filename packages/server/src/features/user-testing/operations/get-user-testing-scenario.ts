import type { Action } from '../../../platform/operations/action.ts';
import type { UserTestingParts } from '../user-testing-context.ts';
import { findScenario } from './find-scenario.ts';
import { presentUserTesting } from './present-scenario.ts';
import { presentWindowEnvelope } from './present-window-envelope.ts';

export const getUserTestingScenario: Action<'getUserTestingScenario', UserTestingParts> = async (
  context,
  { params },
) => {
  return context.tenant(async (sql) => {
    const scenario = await findScenario(sql, context.project.id, params.scenarioId);
    return {
      ...presentUserTesting(scenario),
      environmentId: scenario.environmentId,
      ...(await presentWindowEnvelope(sql, scenario, context.partModels)),
    };
  });
};

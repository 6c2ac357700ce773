import type { Action } from '../../../platform/operations/action.ts';
import { readGuestCredits } from '../store/guest-credits.ts';
import { findScenario } from './find-scenario.ts';
import { presentScenarioDetail } from './present-project-scenario.ts';
import { readPlayed } from './read-played.ts';

export const getScenario: Action<'getScenario'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const scenario = await findScenario(sql, context.project.id, params.scenarioId);
    const played = await readPlayed(sql, context.database, scenario);
    const { organizationId } = context.project;
    const place = { organizationId, scenarioId: scenario.id };
    const { used } = await readGuestCredits(sql, place);
    return presentScenarioDetail(context, scenario, played, used);
  });

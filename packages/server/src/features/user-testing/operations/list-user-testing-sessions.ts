import { type Action, presentPage } from '../../../platform/operations/action.ts';
import { listVisits } from '../store/read-visits.ts';
import { findScenarioToRead } from './find-scenario-to-read.ts';
import { presentVisit } from './present-visit.ts';

export const listUserTestingSessions: Action<'listUserTestingSessions'> = (
  context,
  { params, page },
) =>
  context.tenant(async (sql) => {
    const { id } = await findScenarioToRead(sql, context, params.scenarioId);
    return presentPage(await listVisits(sql, id, page), presentVisit);
  });

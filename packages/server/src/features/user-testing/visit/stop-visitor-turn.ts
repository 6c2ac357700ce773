import { requestStop } from '../store/visitor-turns.ts';
import { enterVisit, findOwnSession, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

export const stopVisitorTurn: VisitAction<'stopVisitorTurn'> = (context, { params }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    await findOwnSession(sql, context, params);
    await enterVisit(sql, context, params.scenarioId);
    return { turnId: params.turnId, stopping: await requestStop(sql, params.turnId) };
  });

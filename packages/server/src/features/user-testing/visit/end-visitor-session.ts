import { endSession } from '../store/visitor-sessions.ts';
import { enterVisit, findOwnSession, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

export const endVisitorSession: VisitAction<'endVisitorSession'> = (context, { params }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    const session = await findOwnSession(sql, context, params);
    await enterVisit(sql, context, params.scenarioId);
    await endSession(sql, session.id, session.isIdle ? 'idle' : 'visitor');
    return { sessionId: session.id, status: 'ended' };
  });

import { forgetVisits } from '../../storage/user-testing/forget-visits.ts';
import { findSessionOfBrowser, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

/** By who they are alone, as reading. A turn that goes on finds nothing to be stored in. */
export const eraseVisitorSession: VisitAction<'eraseVisitorSession'> = (context, { params }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    const session = await findSessionOfBrowser(sql, context, params);
    await forgetVisits(sql, session.scenarioId, [session.id]);
    return { sessionId: session.id, erased: true };
  });

import { invalid, visitConflicts } from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';
import { isRatable, writeFeedback } from '../store/visitor-feedback.ts';
import { enterVisit, findOwnSession, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

export const giveFeedback: VisitAction<'giveFeedback'> = (context, { params, body }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    const session = await findOwnSession(sql, context, params);
    const { scenario } = await enterVisit(sql, context, params.scenarioId);
    const { turnId, rating, comment = null } = body;
    if (scenario.feedback === 'off') return refuse(visitConflicts.feedbackOff);
    if (scenario.feedback === 'thumbs' && rating !== 1 && rating !== 5) {
      return refuse(
        invalid('body.rating', 'The rating must be 1 for a thumb down, or 5 for a thumb up.'),
      );
    }
    if (turnId !== null && !(await isRatable(sql, session.id, turnId))) {
      return refuse(visitConflicts.notReady);
    }
    const { organizationId } = session;
    const { feedback: scale } = scenario;
    await writeFeedback(sql, {
      organizationId,
      sessionId: session.id,
      turnId,
      rating,
      scale,
      comment,
    });
    return { turnId, rating, comment };
  });

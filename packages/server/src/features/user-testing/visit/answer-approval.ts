import { notFound, visitBounds, visitConflicts } from '@proofmark/domain';
import { refuse } from '../../../platform/operations/action.ts';
import { decideApproval } from '../store/visitor-approvals.ts';
import { interruptSilentTurns } from '../store/visitor-turns.ts';
import { enterVisit, findOwnSession, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

/** Stores the decision. The process that runs the turn polls for it. */
export const answerApproval: VisitAction<'answerApproval'> = (context, { params, body }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    await findOwnSession(sql, context, params);
    await enterVisit(sql, context, params.scenarioId);
    // Interrupt turns of dead processes first. Without that, a decision would be accepted although
    // no process acts on it.
    await interruptSilentTurns(sql, params.scenarioId, visitBounds.silentMs);
    const decided = await decideApproval(sql, params.turnId, body);
    if (decided === undefined) return refuse(notFound);
    if (decided === 'over') return refuse(visitConflicts.approvalOver);
    if (decided === 'otherArguments') return refuse(visitConflicts.argumentsChanged);
    return { approvalId: body.approvalId, decision: body.decision };
  });

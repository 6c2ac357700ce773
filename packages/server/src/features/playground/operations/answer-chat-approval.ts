import { notFound, visitBounds, visitConflicts } from '@proofmark/domain';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { decideChatCall, interruptSilentChatTurns } from '../store/chat-turns.ts';
import { findOwnChat } from './find-chat.ts';

/** Stores the decision about a tool call; the process that runs the turn polls for it. */
export const answerChatApproval: Action<'answerChatApproval'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { id: sessionId } = await findOwnChat(sql, context, params.chatSessionId);
    // First interrupts turns whose process has died, because a decision for such a turn would have
    // no effect.
    await interruptSilentChatTurns(sql, context.project.organizationId, visitBounds.silentMs);
    const decided = await decideChatCall(sql, { sessionId, turnId: params.chatTurnId }, body);
    if (decided === undefined) return refuse(notFound);
    if (decided === 'over') return refuse(visitConflicts.approvalOver);
    if (decided === 'otherArguments') return refuse(visitConflicts.argumentsChanged);
    return { approvalId: body.approvalId, decision: body.decision };
  });

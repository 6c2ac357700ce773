import type { Action } from '../../../platform/operations/action.ts';
import { requestChatStop } from '../store/chat-turns.ts';
import { findOwnChat } from './find-chat.ts';

/** Stores the request to stop; the process that runs the turn polls for it. */
export const stopChatTurn: Action<'stopChatTurn'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { id } = await findOwnChat(sql, context, params.chatSessionId);
    const turnId = params.chatTurnId;
    return { turnId, stopping: await requestChatStop(sql, id, turnId) };
  });

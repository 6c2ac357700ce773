import type { Action } from '../../../platform/operations/action.ts';
import { removeChatSession } from '../store/chat-sessions.ts';
import { findOwnChat } from './find-chat.ts';

/** Deletes a session. A running turn notices the deletion and stops. */
export const deleteChatSession: Action<'deleteChatSession'> = (context, { params }) =>
  context.tenant(async (sql) => {
    const { id } = await findOwnChat(sql, context, params.chatSessionId);
    await removeChatSession(sql, id);
    return { id, deleted: true };
  });

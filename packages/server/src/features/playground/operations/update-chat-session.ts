import type { Action } from '../../../platform/operations/action.ts';
import { changeChatSession } from '../store/chat-sessions.ts';
import { findOwnChat } from './find-chat.ts';
import { presentChatSession } from './present-chat.ts';

export const updateChatSession: Action<'updateChatSession'> = (context, { params, body }) =>
  context.tenant(async (sql) => {
    const { id } = await findOwnChat(sql, context, params.chatSessionId);
    const { title, visibility, status } = body;
    await changeChatSession(sql, id, {
      ...(title !== undefined && { title }),
      ...(visibility !== undefined && { visibility }),
      ...(status !== undefined && { status }),
    });
    return presentChatSession(sql, context, await findOwnChat(sql, context, id));
  });

import type { Action } from '../../../platform/operations/action.ts';
import { findChat } from './find-chat.ts';
import { presentChatSession } from './present-chat.ts';

export const getChatSession: Action<'getChatSession'> = (context, { params }) =>
  context.tenant(async (sql) =>
    presentChatSession(sql, context, await findChat(sql, context, params.chatSessionId)),
  );

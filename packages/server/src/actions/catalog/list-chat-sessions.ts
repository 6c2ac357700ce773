import { notFound } from '@proofmark/domain';
import * as chatSessions from '../../storage/accounts/chat-sessions.ts';
import { findProject } from '../../storage/accounts/projects.ts';
import { type Action, presentPage, refuse } from '../action.ts';

export const listChatSessions: Action<'listChatSessions'> = async (context, { query, page }) => {
  const accountId = context.caller.account.id;
  const found = await context.tenant(async (sql) => {
    if (query.projectId !== undefined && !(await findProject(sql, accountId, query.projectId))) {
      refuse(notFound);
    }
    return chatSessions.readChatSessions(sql, accountId, query, page);
  });
  return presentPage(found, (session) => ({
    id: session.id,
    title: session.title,
    status: session.status,
    projectId: session.projectId,
    visibility: session.visibility,
    lastActivityAt: session.lastActivityAt.getTime(),
    createdAt: session.createdAt.getTime(),
    isPinned: false,
    // Nothing opens a session here, so all that others did in theirs is unread, and what one did oneself is not.
    isUnread: session.accountId !== accountId,
  }));
};

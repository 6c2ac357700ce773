/**
 * Lists a person's conversations: their own, those shared with a project that they see, and
 * sessions of journeys in such projects. Nothing records that a person opened a session, so all
 * activity of others counts as unread and the person's own does not.
 */
import type { OutputOf } from '@proofmark/contract';
import { cutPage, notFound, projectTier } from '@proofmark/domain';
import { findProject } from '../../../platform/accounts/store/projects.ts';
import { type Action, presentPage, refuse } from '../../../platform/operations/action.ts';
import { titleOfSwarmSession } from '../../sessions/index.ts';
import {
  type ListedSwarmSession,
  readNewestSwarmSessions,
  readSwarmSessionsSeenBy,
} from '../../swarms/index.ts';
import { readChatSessions, type StoredChatSession } from '../store/chat-sessions.ts';

type Item = OutputOf<'listChatSessions'>['items'][number];

export const listChatSessions: Action<'listChatSessions'> = async (context, { query, page }) => {
  const accountId = context.caller.account.id;
  const { projectId, status } = query;
  const oneMore = { ...page, limit: page.limit + 1 };
  const items = await context.tenant(async (sql) => {
    if (projectId !== undefined) {
      const project = await findProject(sql, accountId, projectId);
      // A project that is not visible to the caller gets the same response as one that does not
      // exist.
      if (project === undefined || projectTier(project) === undefined) return refuse(notFound);
    }
    const chats = await readChatSessions(sql, accountId, query, oneMore);
    const swarms =
      status === 'archived'
        ? []
        : projectId === undefined
          ? await readSwarmSessionsSeenBy(sql, accountId, oneMore)
          : await readNewestSwarmSessions(sql, projectId, oneMore);
    return [
      ...chats.map((chat) => presentChat(chat, accountId)),
      ...swarms.map((session) => presentSwarm(session, accountId)),
    ];
  });
  const newestFirst = items.sort(
    (one, other) => other.lastActivityAt - one.lastActivityAt || (one.id < other.id ? 1 : -1),
  );
  const cut = cutPage(newestFirst.slice(0, oneMore.limit), page.limit, (item) => ({
    order: item.lastActivityAt,
    id: item.id,
  }));
  return presentPage(cut, (item) => item);
};

function presentChat(chat: StoredChatSession, accountId: string): Item {
  const { id, title, status, projectId, visibility } = chat;
  return {
    id,
    title,
    status,
    projectId,
    visibility,
    lastActivityAt: chat.lastActivityAt.getTime(),
    createdAt: chat.createdAt.getTime(),
    isPinned: false,
    isUnread: chat.accountId !== accountId,
  };
}

function presentSwarm(session: ListedSwarmSession, accountId: string): Item {
  const { id, projectId } = session;
  return {
    id,
    title: titleOfSwarmSession(session),
    status: 'active',
    projectId,
    visibility: 'project',
    lastActivityAt: session.lastActivityAt.getTime(),
    createdAt: session.startedAt.getTime(),
    isPinned: false,
    isUnread: session.requestedBy !== accountId,
  };
}

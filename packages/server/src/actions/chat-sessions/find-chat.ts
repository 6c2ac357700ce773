import { chatIsAnothers, notFound } from '@proofmark/domain';
import { findChatSession, type StoredChatSession } from '../../storage/accounts/chat-sessions.ts';
import type { Sql } from '../../storage/database/database.ts';
import { type ProjectContext, refuse } from '../action.ts';

/** One’s own, or one that is shared with the project. */
export async function findChat(
  sql: Sql,
  { caller, project }: ProjectContext,
  chatSessionId: string,
): Promise<StoredChatSession> {
  const found = await findChatSession(sql, caller.account.id, project.id, chatSessionId);
  return found ?? refuse(notFound);
}

/** To go on with it, or to change it. */
export async function findOwnChat(
  sql: Sql,
  context: ProjectContext,
  chatSessionId: string,
): Promise<StoredChatSession> {
  const found = await findChat(sql, context, chatSessionId);
  return found.accountId === context.caller.account.id ? found : refuse(chatIsAnothers);
}

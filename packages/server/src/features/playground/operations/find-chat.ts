import { chatIsAnothers, notFound } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type ProjectContext, refuse } from '../../../platform/operations/action.ts';
import { findChatSession, type StoredChatSession } from '../store/chat-sessions.ts';

/** Finds a session that belongs to the caller or is shared with the project. */
export async function findChat(
  sql: Sql,
  { caller, project }: ProjectContext,
  chatSessionId: string,
): Promise<StoredChatSession> {
  const found = await findChatSession(sql, caller.account.id, project.id, chatSessionId);
  return found ?? refuse(notFound);
}

/** Finds a session that belongs to the caller, who may continue or change it. */
export async function findOwnChat(
  sql: Sql,
  context: ProjectContext,
  chatSessionId: string,
): Promise<StoredChatSession> {
  const found = await findChat(sql, context, chatSessionId);
  return found.accountId === context.caller.account.id ? found : refuse(chatIsAnothers);
}

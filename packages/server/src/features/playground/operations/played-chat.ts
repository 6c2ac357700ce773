/**
 * Resolves the target of a conversation in its current state: an environment, a client with its
 * servers, or one saved server with a client without settings. The target is resolved again for
 * every message, by the rules for a run.
 */
import { lexicalModelId, notFound, Refused } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { refuse } from '../../../platform/operations/action.ts';
import { readClient } from '../../clients/index.ts';
import { readEnvironment } from '../../environments/index.ts';
import { contextOf, environmentContext, type LaunchContext } from '../../evals/index.ts';
import { listNamedServers } from '../../servers/index.ts';
import type { StoredChatSession } from '../store/chat-sessions.ts';
import type { PlayedChat } from './chat-turn-to-run.ts';

export type ChatTarget = Pick<StoredChatSession, 'targetKind' | 'targetId'>;

export async function playedChat(
  sql: Sql,
  projectId: string,
  { targetKind, targetId }: ChatTarget,
): Promise<PlayedChat> {
  if (targetKind === null || targetId === null) return refuse(heldWithNothing);
  const { played, servers, skills } = await contextOfTarget(sql, projectId, targetKind, targetId);
  if (played === undefined) {
    const config = { modelId: lexicalModelId, clientCapabilities: {}, hostContext: {} };
    return { client: { config }, servers, skills, modelId: lexicalModelId };
  }
  const { id, configId, config, modelId } = played;
  return { client: { id, configId, config }, servers, skills, modelId };
}

function contextOfTarget(
  sql: Sql,
  projectId: string,
  kind: NonNullable<ChatTarget['targetKind']>,
  id: string,
): Promise<LaunchContext> {
  const none = { serverIds: [], environmentIds: [], hosts: [] };
  if (kind === 'environment') return environmentContext(sql, projectId, id);
  const launchRequest = kind === 'client' ? { namedHostId: id } : { serverIds: [id] };
  return contextOf(sql, projectId, launchRequest, none);
}

/**
 * Returns the target, or the refusal that explains why no message can be sent now. Any other error
 * is thrown.
 */
export async function playedOrProblem(
  sql: Sql,
  projectId: string,
  target: ChatTarget,
): Promise<{ readonly played: PlayedChat } | { readonly problem: string }> {
  try {
    return { played: await playedChat(sql, projectId, target) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isGone = error.refusal === notFound;
    return {
      problem: isGone
        ? 'The environment or a server of this conversation was deleted; begin another conversation.'
        : error.refusal.message,
    };
  }
}

/** Returns undefined if the target was deleted. */
export async function nameOfTarget(
  sql: Sql,
  projectId: string,
  { targetKind, targetId }: ChatTarget,
): Promise<string | undefined> {
  if (targetKind === null || targetId === null) return undefined;
  if (targetKind === 'environment') {
    return (await readEnvironment(sql, projectId, targetId, 'read'))?.name;
  }
  if (targetKind === 'client') return (await readClient(sql, projectId, targetId))?.name;
  const [server] = await listNamedServers(sql, projectId, [targetId]);
  return server?.name;
}

const heldWithNothing = {
  code: 'CONFLICT',
  message:
    'This conversation was created before the playground existed and cannot be continued; begin another.',
  details: { reason: 'NO_CHAT_TARGET' },
} as const;

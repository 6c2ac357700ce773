import type { BodyOf } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import { refuseMissing } from '../../../platform/operations/refuse-missing.ts';
import { insertChatSession } from '../store/chat-sessions.ts';
import { findChat } from './find-chat.ts';
import { type ChatTarget, nameOfTarget } from './played-chat.ts';
import { presentChatSession } from './present-chat.ts';

/** Does not check the target, because it may be repaired later; sending a message checks it. */
export const createChatSession: Action<'createChatSession'> = (context, { body }) =>
  context.tenant(async (sql) => {
    const { project, caller } = context;
    const target = targetOfChat(body);
    if ((await nameOfTarget(sql, project.id, target)) === undefined) {
      refuseMissing(target.targetKind, `body.${fieldOf[target.targetKind]}`);
    }
    const id = context.newId('chatSession');
    await insertChatSession(sql, {
      id,
      organizationId: project.organizationId,
      projectId: project.id,
      ...target,
      accountId: caller.account.id,
      title: body.title ?? null,
      visibility: body.visibility,
    });
    return presentChatSession(sql, context, await findChat(sql, context, id));
  });

type KnownTarget = { [Field in keyof ChatTarget]: NonNullable<ChatTarget[Field]> };

function targetOfChat(body: BodyOf<'createChatSession'>): KnownTarget {
  const { environmentId, clientId, serverId = '' } = body;
  if (environmentId !== undefined) return { targetKind: 'environment', targetId: environmentId };
  if (clientId !== undefined) return { targetKind: 'client', targetId: clientId };
  return { targetKind: 'server', targetId: serverId };
}

const fieldOf = { environment: 'environmentId', client: 'clientId', server: 'serverId' } as const;

import type { OutputOf } from '@proofmark/contract';
import { visitBounds } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import type { ProjectContext } from '../../../platform/operations/action.ts';
import type { StoredChatSession } from '../store/chat-sessions.ts';
import {
  interruptSilentChatTurns,
  readChatTurns,
  type StoredChatTurn,
} from '../store/chat-turns.ts';
import { nameOfTarget, playedOrProblem } from './played-chat.ts';

export async function presentChatSession(
  sql: Sql,
  { caller, project }: ProjectContext,
  chat: StoredChatSession,
): Promise<OutputOf<'getChatSession'>> {
  const { id, title, visibility, status, targetKind, targetId } = chat;
  // Interrupts turns whose process has died, because they will never be answered.
  await interruptSilentChatTurns(sql, project.organizationId, visitBounds.silentMs);
  const name = await nameOfTarget(sql, project.id, chat);
  const held = await playedOrProblem(sql, project.id, chat);
  const played = 'played' in held ? held.played : undefined;
  return {
    id,
    projectId: project.id,
    title,
    visibility,
    status,
    ownedByViewer: chat.accountId === caller.account.id,
    target:
      targetKind === null || targetId === null
        ? null
        : { kind: targetKind, id: targetId, name: name ?? null },
    modelId: played?.modelId ?? null,
    asksFirst: played?.client.config.requireToolApproval === true,
    servers: (played?.servers ?? []).map((server) => ({ id: server.id, name: server.name })),
    problem: 'problem' in held ? held.problem : null,
    createdAt: chat.createdAt.getTime(),
    lastActivityAt: chat.lastActivityAt.getTime(),
    turns: (await readChatTurns(sql, id)).map(presentChatTurn),
  };
}

export function presentChatTurn(turn: StoredChatTurn): OutputOf<'takeChatTurn'> {
  const { id: turnId, messageId, ordinal, lane, modelId, text, status, createdAt, lines } = turn;
  return {
    turnId,
    messageId,
    ordinal,
    lane,
    modelId,
    text,
    status,
    createdAt: createdAt.getTime(),
    lines: lines as OutputOf<'takeChatTurn'>['lines'],
  };
}

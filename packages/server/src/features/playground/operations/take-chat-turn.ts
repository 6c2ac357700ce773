/**
 * Accepts a message in the playground. The turn then runs in this process, even if the page is
 * closed, with the same tool loop as trials and visitors' turns.
 */

import {
  chatBounds,
  chatOfLane,
  chooseModel,
  invalid,
  tooManyChatTurns,
  visitBounds,
  visitConflicts,
} from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { type Action, type ActionInput, refuse } from '../../../platform/operations/action.ts';
import { modelsOf } from '../../models/index.ts';
import type { PlaygroundParts, PlaygroundProject } from '../playground-context.ts';
import {
  countOpenChatTurns,
  holdChatTurns,
  insertChatTurn,
  interruptSilentChatTurns,
  readChatTurns,
  type StoredChatTurn,
} from '../store/chat-turns.ts';
import type { ChatTurnToRun } from './chat-turn-to-run.ts';
import { findOwnChat } from './find-chat.ts';
import { playedChat } from './played-chat.ts';
import { presentChatTurn } from './present-chat.ts';

export const takeChatTurn: Action<'takeChatTurn', PlaygroundParts> = async (context, input) => {
  const begun = await context.tenant((sql) => beginChatTurn(sql, context, input));
  if ('answered' in begun) {
    for (const line of begun.answered.lines) context.progress(line);
    return presentChatTurn(begun.answered);
  }
  await context.turns.runChat(begun.turn, (line) => context.progress(line));
  const turns = await context.tenant((sql) => readChatTurns(sql, begun.turn.sessionId));
  const kept = turns.find(({ id }) => id === begun.turn.id);
  return kept === undefined ? refuse(visitConflicts.turnInterrupted) : presentChatTurn(kept);
};

type Begun = { readonly turn: ChatTurnToRun } | { readonly answered: StoredChatTurn };

async function beginChatTurn(
  sql: Sql,
  context: PlaygroundProject,
  { params, body }: ActionInput<'takeChatTurn'>,
): Promise<Begun> {
  const { organizationId, id: projectId } = context.project;
  const { messageId, lane, text } = body;
  const chat = await findOwnChat(sql, context, params.chatSessionId);
  // Turns are started one at a time, so that the second of two concurrent messages sees the turn of
  // the first.
  await holdChatTurns(sql, organizationId);
  await interruptSilentChatTurns(sql, organizationId, visitBounds.silentMs);
  const turns = await readChatTurns(sql, chat.id);
  const known = turns.find((turn) => turn.messageId === messageId && turn.lane === lane);
  if (known?.status === 'completed') return { answered: known };
  const ordinal = turns.find((turn) => turn.messageId === messageId)?.ordinal;
  refuseChatTurn(turns, lane, ordinal);
  const played = await playedChat(sql, projectId, chat);
  const modelId = body.modelId ?? played.modelId;
  await refuseUnknownModel(sql, context, modelId);
  const open = await countOpenChatTurns(sql, organizationId);
  if (open >= chatBounds.turnsAtOnce) refuse(tooManyChatTurns);
  const id = context.newId('chatTurn');
  const begun = { id, organizationId, sessionId: chat.id, messageId, lane, text, modelId };
  await insertChatTurn(sql, begun);
  const before = turns.filter((turn) => ordinal === undefined || turn.ordinal < ordinal);
  return {
    turn: {
      ...begun,
      projectId,
      played,
      earlierIds: chatOfLane(before, lane).map((turn) => turn.id),
      creditsPerDay: context.spending.limits.creditsPerDay,
      stdioAddressOf: context.stdioAddressOf,
    },
  };
}

function refuseChatTurn(
  turns: readonly StoredChatTurn[],
  lane: number,
  ordinal: number | undefined,
): void {
  const goesOn = ({ status }: StoredChatTurn) =>
    status === 'running' || status === 'awaitingApproval';
  // Another lane (an answer side by side) may still be answering the same message. The answer to an
  // earlier message must end first, because the new message continues from it.
  const isBusy = turns.some(
    (turn) => goesOn(turn) && (turn.lane === lane || turn.ordinal !== ordinal),
  );
  if (isBusy) refuse(visitConflicts.turnRunning);
  const last = turns.at(-1)?.ordinal ?? -1;
  if (ordinal === undefined && last + 1 >= chatBounds.messages) refuse(visitConflicts.sessionFull);
}

async function refuseUnknownModel(
  sql: Sql,
  context: PlaygroundProject,
  modelId: string,
): Promise<void> {
  const { models } = await modelsOf(sql, context, context.project.organizationId);
  const chosen = chooseModel({ model: modelId }, models.offer, []);
  if (!('refusal' in chosen)) return;
  const { message, details } = chosen.refusal;
  refuse(invalid('body.modelId', message, { ...details, path: 'body.modelId' }));
}

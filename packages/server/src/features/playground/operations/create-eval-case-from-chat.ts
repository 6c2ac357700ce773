import { caseOfChat, chatOfLane } from '@proofmark/domain';
import { hiddenMark } from '../../../outside/mcp/trace-secrets.ts';
import { type Action, refuse } from '../../../platform/operations/action.ts';
import { addEvalCase } from '../../evals/index.ts';
import type { PlaygroundParts } from '../playground-context.ts';
import { readChatTurns } from '../store/chat-turns.ts';
import { findChat } from './find-chat.ts';

export const createEvalCaseFromChat: Action<'createEvalCaseFromChat', PlaygroundParts> = (
  context,
  { params, body },
) =>
  context.tenant(async (sql) => {
    const chat = await findChat(sql, context, params.chatSessionId);
    const turns = chatOfLane(await readChatTurns(sql, chat.id), body.lane);
    const title = body.title ?? chat.title ?? undefined;
    const definition = caseOfChat(turns, { title, hiddenMark });
    if (definition === undefined) return refuse(emptyConversation);
    return addEvalCase(sql, context, body.suiteId, definition, 'body.suiteId');
  });

const emptyConversation = {
  code: 'CONFLICT',
  message: 'This conversation has no messages yet, so it cannot become a case.',
  details: { reason: 'TRANSCRIPT_NOT_AVAILABLE' },
} as const;

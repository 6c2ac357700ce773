import { answerChatApproval } from './answer-chat-approval.ts';
import { createChatSession } from './create-chat-session.ts';
import { createEvalCaseFromChat } from './create-eval-case-from-chat.ts';
import { deleteChatSession } from './delete-chat-session.ts';
import { getChatSession } from './get-chat-session.ts';
import { stopChatTurn } from './stop-chat-turn.ts';
import { takeChatTurn } from './take-chat-turn.ts';
import { updateChatSession } from './update-chat-session.ts';

export const chatActions = {
  answerChatApproval,
  createChatSession,
  createEvalCaseFromChat,
  deleteChatSession,
  getChatSession,
  stopChatTurn,
  takeChatTurn,
  updateChatSession,
};

/**
 * Conversations with servers in the console's playground. Only signed-in users can use these
 * operations, never API keys.
 */
import { EvalCaseWritten } from '../eval-suites/case-shapes.ts';
import { defineOperation } from '../operation.ts';
import { ApprovalAnswer, ApprovalAnswered } from '../visit/shapes.ts';
import * as shapes from './shapes.ts';

const common = { surface: 'console', tag: 'Playground', access: 'member' } as const;
const sessions = '/projects/{projectId}/chat-sessions';
const session = `${sessions}/{chatSessionId}` as const;
const turn = `${session}/turns/{chatTurnId}` as const;

export const createChatSession = defineOperation({
  ...common,
  operationId: 'createChatSession',
  method: 'POST',
  path: sessions,
  summary: 'Begin a conversation with servers',
  description: 'With those of an environment, of a client, or with one saved server.',
  body: shapes.ChatSessionRequest,
  status: 201,
  output: shapes.ChatSessionRead,
  refusals: ['CONFLICT'],
});

export const getChatSession = defineOperation({
  ...common,
  operationId: 'getChatSession',
  method: 'GET',
  path: session,
  summary: 'Read a conversation with servers',
  description: 'Of one’s own, and those shared with the project, with the turns that go on.',
  status: 200,
  output: shapes.ChatSessionRead,
});

export const updateChatSession = defineOperation({
  ...common,
  operationId: 'updateChatSession',
  method: 'PATCH',
  path: session,
  summary: 'Name, share or archive a conversation with servers',
  description: 'By who began it.',
  body: shapes.ChatSessionUpdateRequest,
  status: 200,
  output: shapes.ChatSessionRead,
});

export const deleteChatSession = defineOperation({
  ...common,
  operationId: 'deleteChatSession',
  method: 'DELETE',
  path: session,
  summary: 'Delete a conversation with servers',
  description: 'By who began it, with all that was said.',
  status: 200,
  output: shapes.ChatSessionDeleted,
});

export const takeChatTurn = defineOperation({
  ...common,
  operationId: 'takeChatTurn',
  method: 'POST',
  path: `${session}/turns`,
  summary: 'Say something to servers',
  description:
    'Answers in lines while the turn goes on, which it does when the connection is lost. The same messageId and lane answers a completed turn again.',
  outbound: true,
  streams: true,
  effect: 'runs',
  body: shapes.ChatTurnRequest,
  status: 200,
  output: shapes.ChatTurn,
  refusals: ['CONFLICT'],
});

export const answerChatApproval = defineOperation({
  ...common,
  operationId: 'answerChatApproval',
  method: 'POST',
  path: `${turn}/approvals`,
  summary: 'Approve or deny a call of a conversation',
  description: 'The decision holds for the arguments of that hash and for no others.',
  body: ApprovalAnswer,
  status: 200,
  output: ApprovalAnswered,
  refusals: ['CONFLICT'],
});

export const stopChatTurn = defineOperation({
  ...common,
  operationId: 'stopChatTurn',
  method: 'POST',
  path: `${turn}/stop`,
  summary: 'Stop an answer',
  description: 'What was said until then stays.',
  status: 200,
  output: shapes.ChatTurnStopped,
});

export const createEvalCaseFromChat = defineOperation({
  ...common,
  operationId: 'createEvalCaseFromChat',
  method: 'POST',
  path: `${session}/eval-case`,
  summary: 'Make a case of a conversation with servers',
  description:
    'What was said are its prompts; each call that was made and did not fail is expected again, with the same arguments.',
  body: shapes.CaseOfChatRequest,
  status: 201,
  output: EvalCaseWritten,
  refusals: ['CONFLICT'],
});

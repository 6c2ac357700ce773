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
  summary: 'Start a playground conversation',
  description:
    'The conversation uses the servers of an environment, the servers of a client, or one saved server.',
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
  summary: 'Read a playground conversation',
  description:
    "One's own conversations and those shared with the project, including turns in progress.",
  status: 200,
  output: shapes.ChatSessionRead,
});

export const updateChatSession = defineOperation({
  ...common,
  operationId: 'updateChatSession',
  method: 'PATCH',
  path: session,
  summary: 'Rename, share or archive a playground conversation',
  description: 'Only the person who started it may change it.',
  body: shapes.ChatSessionUpdateRequest,
  status: 200,
  output: shapes.ChatSessionRead,
});

export const deleteChatSession = defineOperation({
  ...common,
  operationId: 'deleteChatSession',
  method: 'DELETE',
  path: session,
  summary: 'Delete a playground conversation',
  description: 'Deletes it with all its messages. Only the person who started it may delete it.',
  status: 200,
  output: shapes.ChatSessionDeleted,
});

export const takeChatTurn = defineOperation({
  ...common,
  operationId: 'takeChatTurn',
  method: 'POST',
  path: `${session}/turns`,
  summary: 'Send a message in a playground conversation',
  description:
    'The answer is streamed as lines while the turn is in progress. If the connection is lost, the turn continues. A repeated request with the same messageId and lane returns the completed turn.',
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
  summary: 'Approve or deny a tool call in a playground conversation',
  description: 'The decision applies only to the arguments with the given hash.',
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
  description: 'The part of the answer written so far is stored.',
  status: 200,
  output: shapes.ChatTurnStopped,
});

export const createEvalCaseFromChat = defineOperation({
  ...common,
  operationId: 'createEvalCaseFromChat',
  method: 'POST',
  path: `${session}/eval-case`,
  summary: 'Create a case from a playground conversation',
  description:
    'The messages of the user become prompts. The case expects each successful tool call again, with the same arguments.',
  body: shapes.CaseOfChatRequest,
  status: 201,
  output: EvalCaseWritten,
  refusals: ['CONFLICT'],
});

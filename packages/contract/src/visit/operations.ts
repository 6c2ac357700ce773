/**
 * Operations of the page behind a share link. A caller is identified by a cookie of that page, not
 * the console's, or by a sign-in.
 */
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const common = { surface: 'visit', tag: 'Visits', access: 'visitor' } as const;
const scenario = '/scenarios/{scenarioId}';
const session = `${scenario}/sessions/{sessionId}` as const;
const turn = `${scenario}/turns/{turnId}` as const;

export const getVisitSession = defineOperation({
  ...common,
  operationId: 'getVisitSession',
  method: 'GET',
  path: '/session',
  summary: 'Read the session of the visiting browser',
  description:
    'Creates an identity for a browser that has none. Admits to no scenario. Behind a proxy that is not trusted, new browsers are counted by the link in the header X-Share-Link if its token is valid, otherwise by address.',
  status: 200,
  output: shapes.VisitSession,
});

export const redeemShareLink = defineOperation({
  ...common,
  operationId: 'redeemShareLink',
  method: 'POST',
  path: '/redeem',
  summary: 'Open a share link',
  description:
    'With the token of the link, and that of an invitation if there is one; or with the id, if the visitor was admitted before.',
  body: shapes.RedeemRequest,
  status: 200,
  output: shapes.RedeemedLink,
  refusals: ['NOT_FOUND', 'CONFLICT'],
});

export const acceptNotice = defineOperation({
  ...common,
  operationId: 'acceptNotice',
  method: 'POST',
  path: `${scenario}/consent`,
  summary: 'Accept the notice',
  description: 'No message is accepted before this.',
  body: shapes.NoticeAcceptance,
  status: 200,
  output: shapes.NoticeAccepted,
  refusals: ['CONFLICT'],
});

export const createVisitorSession = defineOperation({
  ...common,
  operationId: 'createVisitorSession',
  method: 'POST',
  path: `${scenario}/sessions`,
  summary: 'Begin a conversation',
  description: 'The conversation is not counted until its first message.',
  body: shapes.VisitorSessionRequest,
  status: 201,
  output: shapes.VisitorSessionCreated,
  refusals: ['CONFLICT'],
});

export const getVisitorSession = defineOperation({
  ...common,
  operationId: 'getVisitorSession',
  method: 'GET',
  path: session,
  summary: 'Read my conversation',
  description: 'All messages so far, with the turn in progress; also after the link is closed.',
  status: 200,
  output: shapes.VisitorSessionRead,
});

export const takeVisitorTurn = defineOperation({
  ...common,
  operationId: 'takeVisitorTurn',
  method: 'POST',
  path: `${session}/turns`,
  summary: 'Say something',
  description:
    'The answer is streamed as lines of JSON while the turn is in progress. If the connection is lost, the turn continues. A repeated request with the same clientTurnId returns the completed turn.',
  outbound: true,
  streams: true,
  body: shapes.VisitorTurnRequest,
  status: 200,
  output: shapes.VisitTurnLine,
  refusals: ['CONFLICT'],
});

export const answerApproval = defineOperation({
  ...common,
  operationId: 'answerApproval',
  method: 'POST',
  path: `${turn}/approvals`,
  summary: 'Approve or deny a tool call',
  description: 'The decision applies only to the arguments with the given hash.',
  body: shapes.ApprovalAnswer,
  status: 200,
  output: shapes.ApprovalAnswered,
  refusals: ['CONFLICT'],
});

export const stopVisitorTurn = defineOperation({
  ...common,
  operationId: 'stopVisitorTurn',
  method: 'POST',
  path: `${turn}/stop`,
  summary: 'Stop a turn',
  description: 'The part of the answer written so far is stored.',
  status: 200,
  output: shapes.VisitorTurnStopped,
});

export const giveFeedback = defineOperation({
  ...common,
  operationId: 'giveFeedback',
  method: 'PUT',
  path: `${session}/feedback`,
  summary: 'Rate a turn or the conversation',
  description: 'One rating for each; a later rating replaces the earlier one.',
  body: shapes.VisitorFeedback,
  status: 200,
  output: shapes.VisitorFeedbackGiven,
  refusals: ['CONFLICT'],
});

export const endVisitorSession = defineOperation({
  ...common,
  operationId: 'endVisitorSession',
  method: 'POST',
  path: `${session}/end`,
  summary: 'End my conversation',
  description: 'It can still be read, rated and deleted.',
  status: 200,
  output: shapes.VisitorSessionEnded,
});

export const eraseVisitorSession = defineOperation({
  ...common,
  operationId: 'eraseVisitorSession',
  method: 'DELETE',
  path: session,
  summary: 'Delete my conversation',
  description: 'Deletes all stored data of the conversation; also after the link is closed.',
  status: 200,
  output: shapes.VisitorSessionErased,
});

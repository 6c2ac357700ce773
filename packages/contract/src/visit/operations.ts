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
  summary: 'Read who visits',
  description:
    'Makes an identity for a browser that has none. Opens no link. Behind a proxy that is not trusted, new browsers are counted by the link whose token the header X-Share-Link names, where it leads somewhere, and by address otherwise.',
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
    'With the token of the link, and that of an invitation where there is one; or with the id, for who was admitted before.',
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
  description: 'Nothing that is said is taken before.',
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
  description: 'Counts nowhere until something is said.',
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
  description: 'As far as it went, with the turn that goes on; also after the link was closed.',
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
    'Answers in lines, one JSON document each, while the turn goes on. It goes on when the connection is lost. The same clientTurnId answers a completed turn again.',
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
  summary: 'Approve or deny a call',
  description: 'The decision holds for the arguments of that hash and for no others.',
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
  description: 'What was said until then stays.',
  status: 200,
  output: shapes.VisitorTurnStopped,
});

export const giveFeedback = defineOperation({
  ...common,
  operationId: 'giveFeedback',
  method: 'PUT',
  path: `${session}/feedback`,
  summary: 'Rate a turn or the conversation',
  description: 'Once for each; a later rating replaces the earlier one.',
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
  description: 'It can still be read, rated and erased.',
  status: 200,
  output: shapes.VisitorSessionEnded,
});

export const eraseVisitorSession = defineOperation({
  ...common,
  operationId: 'eraseVisitorSession',
  method: 'DELETE',
  path: session,
  summary: 'Erase my conversation',
  description: 'With all that was kept of it; also after the link was closed.',
  status: 200,
  output: shapes.VisitorSessionErased,
});

import { EvalCaseWritten } from '../eval-suites/case-shapes.ts';
import { defineOperation } from '../operation.ts';
import * as shapes from './session-shapes.ts';

const tag = 'User testing';
const sessions = '/projects/{projectId}/user-testing/scenarios/{scenarioId}/sessions';
const session = `${sessions}/{sessionId}` as const;

export const listUserTestingSessions = defineOperation({
  operationId: 'listUserTestingSessions',
  surface: 'api',
  method: 'GET',
  path: sessions,
  tag,
  summary: 'List the sessions of visitors',
  description:
    'The latest activity first, without previews of owners and without sessions in which nobody said anything. Those of an unpublished scenario are there for admins.',
  access: 'member',
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.UserTestingSessionPage,
});

export const getUserTestingSession = defineOperation({
  operationId: 'getUserTestingSession',
  surface: 'api',
  method: 'GET',
  path: session,
  tag,
  summary: 'Read what was said in a session of a visitor',
  description:
    'Page by page; cursor says how many messages to leave out. messageCount is null and transcriptUnavailable true where it cannot be read or is longer than 8 MiB.',
  access: 'member',
  query: shapes.TranscriptQuery,
  status: 200,
  output: shapes.UserTestingSessionDetail,
});

export const deleteUserTestingSession = defineOperation({
  operationId: 'deleteUserTestingSession',
  surface: 'api',
  method: 'DELETE',
  path: session,
  tag,
  summary: 'Delete a session of a visitor',
  description:
    'An addition of Proofmark beyond the specification. With all that was said and rated in it; counts stay, lists of examples lose it, and excerpts of it in insights are emptied. Needs admin.',
  access: 'admin',
  status: 200,
  output: shapes.UserTestingSessionDeleted,
});

export const createEvalCaseFromVisit = defineOperation({
  operationId: 'createEvalCaseFromVisit',
  surface: 'api',
  method: 'POST',
  path: `${session}/eval-case`,
  tag,
  summary: 'Make a session of a visitor a case of a suite',
  description:
    'An addition of Proofmark beyond the specification. Each message of the visitor becomes a prompt; the words then live as long as the suite. Needs manage.',
  access: 'manage',
  body: shapes.VisitEvalCaseRequest,
  idempotent: true,
  status: 201,
  output: EvalCaseWritten,
  refusals: ['CONFLICT'],
});

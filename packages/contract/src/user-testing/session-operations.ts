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
    'The latest activity first, without previews of owners and without sessions that have no messages. Sessions of an unpublished scenario are visible to admins.',
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
  summary: 'Read the messages of a session of a visitor',
  description:
    'In pages; cursor is the number of messages to skip. If the transcript cannot be read or is longer than 8 MiB, messageCount is null and transcriptUnavailable is true.',
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
    'An addition of Proofmark beyond the specification. Deletes the session with all its messages and ratings; counts stay, lists of examples lose it, and excerpts in insights are emptied. Needs admin.',
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
  summary: 'Create a case from a session of a visitor',
  description:
    'An addition of Proofmark beyond the specification. Each message of the visitor becomes a prompt and is stored as long as the suite exists. Needs manage.',
  access: 'manage',
  body: shapes.VisitEvalCaseRequest,
  idempotent: true,
  status: 201,
  output: EvalCaseWritten,
  refusals: ['CONFLICT'],
});
